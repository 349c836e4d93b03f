import { type RefObject, useRef } from "react";
import type { LineChoice } from "./lines/line-choice.ts";
import type { LogHandle } from "./lines/log-lines.tsx";
import type { VisibleLines } from "./lines/visible-lines.ts";
import type { LogErrors } from "./search/use-log-errors.ts";
import type { LogSearch } from "./search/use-log-search.ts";

interface StepParts {
  visible: VisibleLines;
  lines: RefObject<LogHandle | null>;
  choice: LineChoice | undefined;
  setChoice: (choice: LineChoice) => void;
  setFollowing: (isFollowing: boolean) => void;
  search: LogSearch;
  errors: LogErrors;
  /** Shows all steps. */
  showAll: () => void;
}

/** Going from match to match and from error to error, from what is in view. */
export function useSteps(parts: StepParts) {
  const { lines, choice, setChoice, setFollowing, search, errors, showAll } = parts;
  // More lines may be shown when the search has ended than when it began.
  const latest = useRef(parts.visible);
  latest.current = parts.visible;
  const go = (line: number | undefined) => {
    if (line === undefined) return;
    setFollowing(false);
    if (!latest.current.shows(line)) showAll();
    lines.current?.showLine(line);
  };
  const inView = (by: 1 | -1) => (by === 1 ? lines.current?.firstShown() : lines.current?.lastShown()) ?? 0;
  const onMatch = (by: 1 | -1) => void search.step(by, () => inView(by)).then(go);
  const onError = (by: 1 | -1) => {
    const fromHere = () => choice?.cursor ?? inView(by) - by;
    void errors.step(by, fromHere).then((line) => {
      if (line !== undefined) setChoice({ anchor: line, cursor: line });
      go(line);
    });
  };
  return { onMatch, onError };
}
