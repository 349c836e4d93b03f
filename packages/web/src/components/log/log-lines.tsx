import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import classes from "./log.module.css";
import type { LogBook } from "./log-book.ts";
import { LogLineRow } from "./log-line.tsx";
import type { VisibleLines } from "./visible-lines.ts";

/** What the tools of a log ask of its lines. Lines are counted in the whole log. */
export interface LogHandle {
  showLine: (line: number) => void;
  showEnd: () => void;
  firstShown: () => number;
}

interface LogLinesProps {
  ref: Ref<LogHandle>;
  /** Under this name the place is remembered to which one had scrolled. */
  memory: string;
  label: string;
  book: LogBook;
  visible: VisibleLines;
  showsTime: boolean;
  isWrapped: boolean;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
  query: string;
  currentMatch: number;
  chosen: number;
  onChoose: (line: number) => void;
  whyEmpty: string;
}

const rowHeight = 20;
const places = new Map<string, number>();

/** The lines that are in view, and no others: a long log costs no more than a short one. */
export function LogLines(props: LogLinesProps) {
  const { book, visible, isWrapped, isFollowing, memory } = props;
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: visible.count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 20,
    initialOffset: () => places.get(memory) ?? 0,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => {
    if (visible.count > 0) book.want(visible.lineAt(first), visible.lineAt(last));
  }, [book, visible, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have another height when they wrap
  useEffect(() => rows.measure(), [isWrapped, rows]);
  useLayoutEffect(() => {
    if (isFollowing && visible.count > 0) rows.scrollToIndex(visible.count - 1, { align: "end" });
  }, [isFollowing, visible.count, rows]);
  useImperativeHandle(props.ref, () => ({
    showLine: (line) => rows.scrollToIndex(visible.placeOf(line), { align: "center" }),
    showEnd: () => rows.scrollToIndex(visible.count - 1, { align: "end" }),
    firstShown: () => visible.lineAt(rows.range?.startIndex ?? 0),
  }));
  const onScroll = useFollowing(box, memory, isFollowing, (follows) => (!follows || !book.isOver) && props.onFollow(follows));
  if (visible.count === 0) return <EmptyLog {...props} />;
  return (
    <div
      ref={box}
      className={classes.lines}
      role="log"
      aria-live="off"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      data-wrap={isWrapped || undefined}
      onScroll={onScroll}
    >
      <div className={classes.all} style={{ height: rows.getTotalSize() }}>
        {items.map((item) => {
          const index = visible.lineAt(item.index);
          const isFirstOfStep = item.index === 0 || book.stepOf(visible.lineAt(item.index - 1)) !== book.stepOf(index);
          return (
            <div
              key={item.index}
              ref={isWrapped ? rows.measureElement : undefined}
              data-index={item.index}
              className={classes.row}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LogLineRow
                index={index}
                line={book.line(index)}
                showsTime={props.showsTime}
                isWrapped={isWrapped}
                step={isFirstOfStep && book.steps.length > 1 ? book.stepOf(index) || undefined : undefined}
                query={props.query}
                isChosen={props.chosen === index}
                isCurrentMatch={props.currentMatch === index}
                onChoose={props.onChoose}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Who scrolls up stops following, who comes back to the end follows again. The place is remembered. */
function useFollowing(
  box: { current: HTMLDivElement | null },
  memory: string,
  isFollowing: boolean,
  onFollow: (isFollowing: boolean) => unknown,
) {
  const before = useRef(0);
  return () => {
    const place = box.current;
    if (!place) return;
    places.set(memory, place.scrollTop);
    const isUp = place.scrollTop < before.current - 2;
    const isAtEnd = place.scrollHeight - place.scrollTop - place.clientHeight < rowHeight;
    before.current = place.scrollTop;
    if (isFollowing && isUp && !isAtEnd) onFollow(false);
    if (!isFollowing && !isUp && isAtEnd) onFollow(true);
  };
}

function EmptyLog({ book, whyEmpty }: LogLinesProps) {
  const isLooking = !book.isCaughtUp && book.error === undefined;
  return (
    <p className={classes.empty} role="status">
      {isLooking ? "Reading the log …" : whyEmpty}
    </p>
  );
}
