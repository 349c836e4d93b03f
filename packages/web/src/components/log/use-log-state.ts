import { isFinal, type Status } from "@millrace/contract/status.ts";
import { useRef, useState } from "react";
import { useSearchState } from "../../hooks/use-search-state.ts";
import type { LogHandle } from "./lines/log-lines.tsx";
import { useLineChoice } from "./lines/use-line-choice.ts";
import { visibleLines } from "./lines/visible-lines.ts";
import { useFinder } from "./search/use-finder.ts";
import { useLogErrors } from "./search/use-log-errors.ts";
import { useLogSearch } from "./search/use-log-search.ts";
import { useLogCursor } from "./use-log-cursor.ts";
import { useLogStore } from "./use-log-store.ts";
import { useSteps } from "./use-steps.ts";

export type LogState = ReturnType<typeof useLogState>;

/** What is shown of a log, and what can be done with it. The lines that were chosen and the step are in the address. */
export function useLogState(taskRun: string, status: Status) {
  const shown = useShownLines(taskRun, status);
  const [choice, setChoice] = useLineChoice();
  const [isFollowing, setFollowing] = useState(!isFinal(status) && choice === undefined);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const lines = useRef<LogHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const { book, visible, onlyStep, chooseStep } = shown;
  const search = useLogSearch(book, onlyStep);
  const errors = useLogErrors(book);
  const place = { visible, lines, choice, setChoice, setFollowing };
  const { onMatch, onError } = useSteps({ ...place, search, errors, showAll: () => chooseStep(undefined) });
  const cursor = useLogCursor({
    ...place,
    book,
    onStep: (what, by) => (what === "error" ? onError(by) : onMatch(by)),
    onSearch: () => searchField.current?.focus(),
    onHelp: () => setHelpOpen(true),
  });
  const toEnd = () => {
    setFollowing(!book.isOver);
    lines.current?.showEnd();
  };
  return { ...shown, ...place, isFollowing, isHelpOpen, setHelpOpen, searchField, search, errors, onMatch, onError, cursor, toEnd };
}

/** Those of one step, or all. */
function useShownLines(taskRun: string, status: Status) {
  const book = useLogStore(taskRun, status);
  const [{ step }, setAddress] = useSearchState({ step: "" });
  const onlyStep = step === "" ? undefined : String(step);
  const ofStep = useFinder(book, onlyStep === undefined ? undefined : { step: onlyStep });
  const visible = visibleLines(book.count, ofStep?.ranges);
  const chooseStep = (chosen: string | undefined) => setAddress({ step: chosen ?? "" });
  return { book, ofStep, visible, onlyStep, chooseStep };
}
