import { type RefObject, useLayoutEffect, useReducer, useRef } from "react";
import { RowHeights, rowHeight } from "./row-heights.ts";

/** Rows beyond what is seen, on each side. */
const overscan = 20;
/** Browsers can't make a box higher than 17 to 33 million pixels. From here on a pixel of the scrollbar stands for more than one of the rows. */
const tallest = 12_000_000;

type Align = "start" | "center" | "end" | "near";

export interface VirtualRows {
  first: number;
  /** Behind the last one that is drawn. */
  end: number;
  /** Of the first one that is drawn, in the box. */
  top: number;
  /** Of all. */
  height: number;
  show(row: number, align: Align): void;
  firstShown(): number;
  lastShown(): number;
  /** Where it is scrolled to, for coming back. */
  offset(): number;
  showOffset(offset: number): void;
  onScroll(): void;
}

interface Place {
  offset: number;
  /** Height of what is seen. */
  view: number;
  /** What was asked for stays where it was asked for, until somebody scrolls. */
  pin: { row: number; align: Align } | undefined;
  /** The box has to be scrolled there yet. */
  isMoved: boolean;
}

/**
 * Which of very many rows are drawn, and where. Rows have one height, unless they wrap: then what was drawn is measured, and what is in view stays
 * where it is. A row that was asked for stays in its place until somebody scrolls.
 * @param list of the rows that are drawn: its children are one row each, in order
 * @param layout when it changes, rows may have other heights
 * @param begin the row that will be asked for first: those around it are the first that are drawn
 */
export function useVirtualRows(
  box: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  { count, isWrapped, layout, begin }: { count: number; isWrapped: boolean; layout: string; begin: number },
): VirtualRows {
  const [, draw] = useReducer((version: number) => version + 1, 0);
  const heights = useRef(new RowHeights()).current;
  const place = useRef<Place>({ offset: Math.max(0, begin * rowHeight - 300), view: 600, pin: undefined, isMoved: false }).current;
  const total = heights.top(count);
  const height = Math.min(total, tallest);
  const scale = total > height ? (total - place.view) / (height - place.view) : 1;
  const scrollTo = (offset: number) => {
    place.offset = Math.max(0, Math.min(offset, heights.top(count) - place.view));
    place.isMoved = true;
    draw();
  };
  const offsetOf = (row: number, align: Align) => {
    const [top, bottom] = [heights.top(row), heights.top(row + 1)];
    if (align === "start") return top;
    if (align === "end") return bottom - place.view;
    if (align === "center") return (top + bottom - place.view) / 2;
    return Math.max(bottom + rowHeight - place.view, Math.min(place.offset, top - rowHeight));
  };
  const show = (row: number, align: Align) => {
    const wanted = Math.max(0, Math.min(row, count - 1));
    const offset = offsetOf(wanted, align);
    place.pin = { row: wanted, align };
    scrollTo(offset);
  };
  const firstShown = () => Math.min(heights.rowAt(place.offset), Math.max(0, count - 1));
  const lastShown = () => Math.min(heights.rowAt(place.offset + place.view - 1), count - 1);
  const first = Math.max(0, firstShown() - overscan);
  const end = Math.min(count, lastShown() + overscan + 1);

  useLayoutEffect(() => watchSize(box.current, place, heights, draw), [box, place, heights]);
  const laidOut = useRef(layout);
  useLayoutEffect(() => {
    if (laidOut.current === layout) return;
    laidOut.current = layout;
    const row = firstShown();
    heights.reset();
    place.pin ??= { row, align: "start" };
    scrollTo(offsetOf(place.pin.row, place.pin.align));
  });
  // After each drawing: text may have come, or rows have wrapped.
  useLayoutEffect(() => {
    if (!isWrapped || list.current === null) return;
    const anchor = firstShown();
    const before = heights.top(anchor);
    let isNews = false;
    for (const [index, row] of [...list.current.children].entries())
      isNews = heights.set(first + index, row.getBoundingClientRect().height) || isNews;
    if (!isNews) return;
    if (place.pin) scrollTo(offsetOf(place.pin.row, place.pin.align));
    else scrollTo(place.offset + heights.top(anchor) - before);
  });
  // Only when the box is as high as it is to be can it be scrolled that far.
  useLayoutEffect(() => {
    if (!place.isMoved || box.current === null) return;
    place.isMoved = false;
    box.current.scrollTop = place.offset / scale;
  });
  return {
    first,
    end,
    height,
    // Where it is drawn follows what is scrolled, as rows are not as far apart on a scrollbar that stands for more.
    top: heights.top(first) - place.offset + place.offset / scale,
    show,
    firstShown,
    lastShown,
    offset: () => place.offset,
    showOffset: (offset) => scrollTo(offset),
    onScroll: () => {
      const top = box.current?.scrollTop ?? 0;
      // Where it was scrolled to from here is known more exactly than the browser tells it.
      if (Math.abs(top - place.offset / scale) < 1) return;
      place.offset = top * scale;
      place.pin = undefined;
      draw();
    },
  };
}

/** What is seen of it; rows that wrap have other heights in another width. */
function watchSize(box: HTMLElement | null, place: { view: number }, heights: RowHeights, draw: () => void): (() => void) | undefined {
  if (box === null) return undefined;
  let width = box.clientWidth;
  const observer = new ResizeObserver(() => {
    place.view = box.clientHeight;
    if (box.clientWidth !== width) heights.reset();
    width = box.clientWidth;
    draw();
  });
  place.view = box.clientHeight;
  observer.observe(box);
  draw();
  return () => observer.disconnect();
}
