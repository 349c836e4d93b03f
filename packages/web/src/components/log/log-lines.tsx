import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { firstOf, type LineChoice, lastOf } from "./line-choice.ts";
import classes from "./log.module.css";
import type { LogBook } from "./log-book.ts";
import { LogLineRow } from "./log-line.tsx";
import { rowHeight } from "./row-heights.ts";
import type { RowView } from "./row-view.ts";
import { useRowView } from "./use-row-view.ts";
import type { VisibleLines } from "./visible-lines.ts";

/** What the tools of a log ask of its lines. Lines are counted in the whole log. */
export interface LogHandle {
  showLine: (line: number) => void;
  /** Scrolls no further than it takes. */
  keepInView: (line: number) => void;
  showEnd: () => void;
  firstShown: () => number;
  lastShown: () => number;
  focus: () => void;
}

interface LogLinesProps {
  ref: Ref<LogHandle>;
  /** Under this name the place is remembered to which one had scrolled. */
  memory: string;
  label: string;
  /** Id of what says which keys there are. */
  describedBy: string;
  book: LogBook;
  visible: VisibleLines;
  showsTime: boolean;
  isWrapped: boolean;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
  query: string;
  currentMatch: number | undefined;
  choice: LineChoice | undefined;
  /** @param isMore the choice is to reach to that line */
  onChoose: (line: number, isMore: boolean) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** All steps are shown. */
  isWhole: boolean;
}

/** Lines read ahead on each side of what is seen. */
const ahead = 200;
const places = new Map<string, number>();

/** The lines that are in view, and no others: a long log costs no more than a short one. */
export function LogLines(props: LogLinesProps) {
  const { book, visible, showsTime, isWrapped, choice } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const begin = useRef(beginOf(props)).current;
  const view = useRowView(box, list, { count: visible.count, isWrapped, layout: `${isWrapped} ${showsTime}`, begin: begin.row });
  const { first, end, top } = view.drawn();
  useEffect(() => book.want(visible.lineAt(first) - ahead, visible.lineAt(end - 1) + ahead), [book, visible, first, end]);
  useBegin(view, props);
  useImperativeHandle(props.ref, () => ({
    showLine: (line) => view.show(visible.placeOf(line), "center"),
    keepInView: (line) => view.show(visible.placeOf(line), "near"),
    showEnd: () => view.show(visible.count - 1, "end"),
    firstShown: () => visible.lineAt(view.firstShown),
    lastShown: () => visible.lineAt(view.lastShown),
    focus: () => box.current?.focus(),
  }));
  const onScroll = useFollowing(box, view, props);
  const lines = Array.from({ length: end - first }, (_, index) => visible.lineAt(first + index));
  return (
    <div
      ref={box}
      className={classes.lines}
      role="log"
      aria-live="off"
      aria-label={props.label}
      aria-describedby={props.describedBy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      data-wrap={isWrapped || undefined}
      onScroll={onScroll}
      onKeyDown={props.onKeyDown}
    >
      <div className={classes.all} style={{ height: view.height }}>
        <div ref={list} className={classes.rows} style={{ transform: `translateY(${top}px)` }}>
          {lines.map((index, place) => (
            <LogLineRow
              key={index}
              index={index}
              line={book.line(index)}
              pen={book.pen(index)}
              showsTime={showsTime}
              isWrapped={isWrapped}
              step={stepThatBegins(book, index, lines[place - 1])}
              query={props.query}
              isChosen={choice !== undefined && index >= firstOf(choice) && index <= lastOf(choice)}
              isCurrentMatch={props.currentMatch === index}
              onChoose={props.onChoose}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The name of the step, where it is another than that of the line above. */
function stepThatBegins(book: LogBook, index: number, above: number | undefined): string | undefined {
  if (book.steps.size < 2) return undefined;
  const step = book.line(index)?.step;
  const before = above === undefined ? (index === 0 ? "" : step) : book.line(above)?.step;
  return step !== before ? step || undefined : undefined;
}

/** Where one had been, else the line of the address, else the end; but the begin of a step. */
function beginOf({ memory, visible, isFollowing, choice, isWhole }: LogLinesProps): { row: number; offset?: number } {
  if (choice !== undefined && visible.shows(choice.cursor)) return { row: visible.placeOf(choice.cursor) };
  const offset = isFollowing ? undefined : places.get(memory);
  if (offset !== undefined) return { row: Math.floor(offset / rowHeight), offset };
  return { row: isWhole || isFollowing ? visible.count - 1 : 0 };
}

/** Begins in the right place, also when another step is shown; and keeps to the end while it follows. */
function useBegin(view: RowView, props: LogLinesProps) {
  const { memory, visible, isFollowing } = props;
  const begun = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (begun.current === memory) return;
    begun.current = memory;
    const { row, offset } = beginOf(props);
    if (offset !== undefined) view.moveTo(offset);
    else view.show(row, "center");
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new lines are a reason
  useLayoutEffect(() => {
    if (isFollowing) view.show(visible.count - 1, "end");
  }, [isFollowing, visible.count]);
}

/** Who scrolls up stops following, who comes back to the end follows again. The place is remembered. */
function useFollowing(
  box: { current: HTMLDivElement | null },
  view: RowView,
  { book, memory, isFollowing, onFollow }: LogLinesProps,
): () => void {
  const before = useRef(0);
  return () => {
    const place = box.current;
    if (!place) return;
    view.scrolled(place.scrollTop);
    places.set(memory, view.offset);
    const isUp = view.offset < before.current - 2;
    const { isAtEnd } = view;
    before.current = view.offset;
    if (isFollowing && isUp && !isAtEnd) onFollow(false);
    if (!isFollowing && !isUp && isAtEnd && !book.isOver) onFollow(true);
  };
}
