import type { RefObject } from "react";
import type { LineChoice } from "./line-choice.ts";
import type { LogHandle } from "./log-lines.tsx";
import type { LogErrors } from "./use-log-errors.ts";
import type { LogSearch } from "./use-log-search.ts";
import type { VisibleLines } from "./visible-lines.ts";

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
export function useSteps({ visible, lines, choice, setChoice, setFollowing, search, errors, showAll }: StepParts) {
  const go = (line: number | undefined) => {
    if (line === undefined) return;
    setFollowing(false);
    if (!visible.shows(line)) showAll();
    lines.current?.showLine(line);
  };
  const inView = (by: 1 | -1) => (by === 1 ? lines.current?.firstShown() : lines.current?.lastShown()) ?? 0;
  const onMatch = (by: 1 | -1) => void search.step(by, inView(by)).then(go);
  const onError = (by: 1 | -1) =>
    void errors.step(by, choice?.cursor ?? inView(by) - by).then((line) => {
      if (line !== undefined) setChoice({ anchor: line, cursor: line });
      go(line);
    });
  return { onMatch, onError };
}
