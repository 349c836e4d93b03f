import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { t } from "../../../texts/run/log.ts";
import { numberText } from "../../../ui/format.ts";
import classes from "../log.module.css";
import type { LogStore } from "../log-store.ts";
import { firstOf, type LineChoice, lastOf } from "./line-choice.ts";
import type { VisibleLines } from "./line-ranges.ts";
import { LogLineRow } from "./log-line.tsx";
import { rowHeight } from "./row-heights.ts";
import { printedRows, RowView } from "./row-view.ts";
import { placeIn, useFollowing } from "./use-following.ts";

/** What the log tools need from the lines. Line numbers refer to the whole log. */
export interface LogHandle {
  showLine: (line: number) => void;
  /** Scrolls only as far as necessary. */
  keepInView: (line: number) => void;
  showEnd: () => void;
  firstShown: () => number;
  lastShown: () => number;
  focus: () => void;
}

interface LogLinesProps {
  ref: Ref<LogHandle>;
  /** The key under which the scroll position is remembered. */
  memory: string;
  label: string;
  /** The id of the element that describes the keys. */
  describedBy: string;
  book: LogStore;
  visible: VisibleLines;
  showsTime: boolean;
  isWrapped: boolean;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
  query: string;
  currentMatch: number | undefined;
  choice: LineChoice | undefined;
  /** @param isMore extends the current selection to that line */
  onChoose: (line: number, isMore: boolean) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Whether all steps are shown. */
  isWhole: boolean;
}

/** The number of lines loaded in advance on each side of the visible ones. */
const ahead = 200;

/**
 * Renders only the lines in view, so that a long log costs no more than a short one. When printing, includes the lines around them and a
 * note that says which lines are printed.
 */
export function LogLines(props: LogLinesProps) {
  const { book, visible, showsTime, isWrapped } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const begin = useRef(beginOf(props)).current;
  const view = useRowView(box, list, { count: visible.count, isWrapped, layout: `${isWrapped} ${showsTime}`, begin: begin.row });
  const { top, ...drawn } = view.drawn();
  const { first, end } = usePrinting() ? printedRows(drawn, visible.count, (row) => book.line(visible.lineAt(row)) !== undefined) : drawn;
  useEffect(() => book.want(visible.lineAt(first) - ahead, visible.lineAt(end - 1) + ahead), [book, visible, first, end]);
  // New lines may be drawn before the browser reports that it has scrolled: they must not take a reader back who is leaving the end.
  const isLeaving = useRef(false);
  useBegin(view, props, isLeaving);
  useHandle(props, view, box);
  const scrolling = useFollowing(box, view, props, isLeaving);
  return (
    <div
      ref={box}
      className={classes.lines}
      role="log"
      aria-live="off"
      aria-label={props.label}
      aria-describedby={props.describedBy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
      tabIndex={0}
      data-wrap={isWrapped || undefined}
      {...scrolling}
      onKeyDown={props.onKeyDown}
    >
      <PrintedRange first={visible.lineAt(first) + 1} last={visible.lineAt(end - 1) + 1} all={book.count} />
      <div className={classes.all} style={{ "--height": `${view.height}px` } as object}>
        <div ref={list} className={classes.rows} style={{ "--top": `${top}px` } as object}>
          <Rows {...props} first={first} end={end} />
        </div>
      </div>
    </div>
  );
}

function Rows({ book, visible, choice, first, end, ...props }: LogLinesProps & { first: number; end: number }) {
  const lines = Array.from({ length: end - first }, (_, index) => visible.lineAt(first + index));
  return lines.map((index, place) => (
    <LogLineRow
      key={index}
      index={index}
      line={book.line(index)}
      pen={book.pen(index)}
      showsTime={props.showsTime}
      isWrapped={props.isWrapped}
      step={stepThatBegins(book, index, lines[place - 1])}
      query={props.query}
      isChosen={choice !== undefined && index >= firstOf(choice) && index <= lastOf(choice)}
      isCurrentMatch={props.currentMatch === index}
      onChoose={props.onChoose}
    />
  ));
}

/** Only on paper, where nobody can scroll. */
function PrintedRange({ first, last, all }: { first: number; last: number; all: number }) {
  const isAll = first === 1 && last === all;
  return (
    <p className={classes.printed}>
      {isAll
        ? t("logLines.allLines", { number: numberText(all) })
        : t("logLines.linesDownloadLogSee", { number: numberText(first), number2: numberText(last), number3: numberText(all) })}
    </p>
  );
}

function useHandle({ ref, visible }: LogLinesProps, view: RowView, box: RefObject<HTMLDivElement | null>): void {
  useImperativeHandle(ref, () => ({
    showLine: (line) => view.show(visible.placeOf(line), "center"),
    keepInView: (line) => view.show(visible.placeOf(line), "near"),
    showEnd: () => view.show(visible.count - 1, "end"),
    firstShown: () => visible.lineAt(view.firstShown),
    lastShown: () => visible.lineAt(view.lastShown),
    focus: () => box.current?.focus(),
  }));
}

/** The name of the step, if it differs from that of the previous line. */
function stepThatBegins(book: LogStore, index: number, above: number | undefined): string | undefined {
  if (book.steps.size < 2) return undefined;
  const step = book.line(index)?.step;
  const before = above === undefined ? (index === 0 ? "" : step) : book.line(above)?.step;
  return step !== before ? step || undefined : undefined;
}

/** The initial position: the line in the URL, otherwise the remembered position, otherwise the end; for a single step, its beginning. */
function beginOf({ memory, visible, isFollowing, choice, isWhole }: LogLinesProps): { row: number; offset?: number } {
  if (choice !== undefined && visible.shows(choice.cursor)) return { row: visible.placeOf(choice.cursor) };
  const offset = isFollowing ? undefined : placeIn.get(memory);
  if (offset !== undefined) return { row: Math.floor(offset / rowHeight), offset };
  return { row: isWhole || isFollowing ? visible.count - 1 : 0 };
}

/** Scrolls to the initial position, also when another step is shown, and stays at the end while following. */
function useBegin(view: RowView, props: LogLinesProps, isLeaving: RefObject<boolean>) {
  const { memory, visible, isFollowing } = props;
  const begun = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (begun.current === memory) return;
    begun.current = memory;
    const { row, offset } = beginOf(props);
    if (offset !== undefined) view.moveTo(offset);
    else view.show(row, "center");
  });
  useLayoutEffect(() => {
    if (isFollowing) isLeaving.current = false;
  }, [isFollowing, isLeaving]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new lines matter
  useLayoutEffect(() => {
    if (isFollowing && !isLeaving.current) view.show(visible.count - 1, "end");
  }, [isFollowing, visible.count]);
}

/** Whether the page is being printed. This is known before the print layout is computed. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

interface RowViewOptions {
  count: number;
  isWrapped: boolean;
  /** When it changes, rows may have other heights. */
  layout: string;
  begin: number;
}

/**
 * The view of the rows in a scrolling box.
 * @param list the element whose children are the rendered rows, one each, in order
 */
function useRowView(box: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>, options: RowViewOptions): RowView {
  const { count, isWrapped, layout, begin } = options;
  const [, draw] = useReducer((version: number) => version + 1, 0);
  const made = useRef<RowView>(undefined);
  made.current ??= new RowView(begin, draw);
  const view = made.current;
  view.count = count;
  useLayoutEffect(() => watchSize(box.current, view), [box, view]);
  const laidOut = useRef(layout);
  useLayoutEffect(() => {
    if (laidOut.current === layout) return;
    laidOut.current = layout;
    view.resetLayout();
  }, [layout, view]);
  // After each render, because text may have arrived.
  useLayoutEffect(() => {
    if (!isWrapped || list.current === null) return;
    const heights = [...list.current.children].map((row) => row.getBoundingClientRect().height);
    view.measured(view.drawn().first, heights);
  });
  useLayoutEffect(() => {
    if (!view.isMoved || box.current === null) return;
    view.isMoved = false;
    box.current.scrollTop = view.offset / view.scale;
  });
  useExactWheel(box, view, view.scale > 1);
  return view;
}

function watchSize(box: HTMLElement | null, view: RowView): (() => void) | undefined {
  if (box === null) return undefined;
  let width = box.clientWidth;
  const look = () => {
    const isOther = box.clientWidth !== width;
    width = box.clientWidth;
    view.resized(box.clientHeight, isOther);
  };
  const observer = new ResizeObserver(look);
  observer.observe(box);
  look();
  return () => observer.disconnect();
}

/** If one pixel of the scrollbar stands for several pixels of rows, the browser's own scroll step would skip lines. */
function useExactWheel(box: RefObject<HTMLElement | null>, view: RowView, isOn: boolean): void {
  useEffect(() => {
    const place = box.current;
    if (place === null || !isOn) return;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      place.scrollLeft += event.deltaX;
      view.moveBy(event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight : 1));
    };
    place.addEventListener("wheel", onWheel, { passive: false });
    return () => place.removeEventListener("wheel", onWheel);
  }, [box, view, isOn]);
}
