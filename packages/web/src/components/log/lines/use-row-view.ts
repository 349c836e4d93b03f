import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { rowHeight } from "./row-heights.ts";
import { RowView } from "./row-view.ts";

interface RowViewOptions {
  count: number;
  isWrapped: boolean;
  /** When it changes, rows may have other heights. */
  layout: string;
  begin: number;
}

/**
 * The view of the rows in a box that scrolls.
 * @param list of the rows that are drawn: its children are one row each, in order
 */
export function useRowView(box: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>, options: RowViewOptions): RowView {
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
    view.laidOutAnew();
  }, [layout, view]);
  // After each drawing: text may have come.
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

/** Where the scrollbar stands for more than it shows, the browser's own step would leave lines out. */
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
