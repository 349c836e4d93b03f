import { isFinal, type Status } from "@millrace/contract/status.ts";
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { streamLines } from "../../api/client.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { followLog } from "./follow-log.ts";
import { type LineChoice, useLineChoice } from "./lines/line-choice.ts";
import { type VisibleLines, visibleLines } from "./lines/line-ranges.ts";
import { type LevelFilter, levelFilters, levelPattern } from "./lines/log-level.ts";
import type { LogHandle } from "./lines/log-lines.tsx";
import { logSource } from "./log-source.ts";
import { LogStore } from "./log-store.ts";
import { type LogErrors, type LogSearch, useFinder, useLogErrors, useLogSearch } from "./search/use-log-search.ts";
import { useLogCursor } from "./use-log-cursor.ts";

/** Log stores of the tasks that were viewed last: going back to one reads nothing again. */
const books = new Map<string, LogStore>();
const booksKept = 3;

function bookOf(taskRun: string): LogStore {
  const book = books.get(taskRun) ?? new LogStore(logSource(taskRun));
  books.delete(taskRun);
  books.set(taskRun, book);
  for (const old of [...books.keys()].slice(0, -booksKept)) books.delete(old);
  return book;
}

/** The log of a task run, followed while it grows. @param status of the task run: after a change there may be new lines at once */
function useLogStore(taskRun: string, status: string): LogStore {
  const book = bookOf(taskRun);
  useSyncExternalStore(book.subscribe, book.getVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new status is a reason to look again
  useEffect(() => followLog(book, (line, signal, take) => streamLines(taskRun, line, signal, take)), [book, taskRun, status]);
  return book;
}

export type LogState = ReturnType<typeof useLogState>;

/** The visible part of a log, and the actions for it. The URL stores the selected lines and the step. */
export function useLogState(taskRun: string, status: Status) {
  const shown = useShownLines(taskRun, status);
  const [choice, setChoice] = useLineChoice();
  const [isFollowing, setFollowing] = useState(!isFinal(status) && choice === undefined);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const lines = useRef<LogHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const { book, visible, onlyStep, showAll } = shown;
  const search = useLogSearch(book, onlyStep);
  const errors = useLogErrors(book);
  const place = { visible, lines, choice, setChoice, setFollowing };
  const { onMatch, onError } = useSteps({ ...place, search, errors, showAll });
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

/** The lines of one step or of all; of these, the ones with the selected severity. */
function useShownLines(taskRun: string, status: Status) {
  const book = useLogStore(taskRun, status);
  const [{ step, level }, setAddress] = useSearchState({ step: "", level: "" });
  const onlyStep = step === "" ? undefined : String(step);
  const onlyLevel = levelFilters.find((one) => one === level);
  const criteria = {
    ...(onlyStep !== undefined && { step: onlyStep }),
    ...(onlyLevel !== undefined && { pattern: levelPattern(onlyLevel), matchCase: true as const }),
  };
  const isPart = onlyStep !== undefined || onlyLevel !== undefined;
  const ofStep = useFinder(book, isPart ? criteria : undefined);
  const visible = visibleLines(book.count, ofStep?.ranges);
  const chooseStep = (chosen: string | undefined) => setAddress({ step: chosen ?? "" });
  const chooseLevel = (chosen: LevelFilter | undefined) => setAddress({ level: chosen ?? "" });
  const showAll = () => setAddress({ step: "", level: "" });
  return { book, ofStep, visible, onlyStep, chooseStep, onlyLevel, chooseLevel, showAll };
}

interface StepParts {
  visible: VisibleLines;
  lines: RefObject<LogHandle | null>;
  choice: LineChoice | undefined;
  setChoice: (choice: LineChoice) => void;
  setFollowing: (isFollowing: boolean) => void;
  search: LogSearch;
  errors: LogErrors;
  /** Removes the filter by step. */
  showAll: () => void;
}

/** Moves between matches and between errors, starting from the lines in view. */
function useSteps(parts: StepParts) {
  const { lines, choice, setChoice, setFollowing, search, errors, showAll } = parts;
  // When the search ends, more lines may be visible than when it began.
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
