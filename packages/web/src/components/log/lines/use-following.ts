import { type RefObject, type TouchEvent, useRef, type WheelEvent } from "react";
import type { LogStore } from "../log-store.ts";
import type { RowView } from "./row-view.ts";

/** The last scroll position of each log, by its key. */
export const placeIn = new Map<string, number>();

interface Following {
  book: LogStore;
  /** The key under which the scroll position is remembered. */
  memory: string;
  isFollowing: boolean;
  onFollow: (isFollowing: boolean) => void;
}

/**
 * Scrolling up stops following; returning to the end resumes it. The position is remembered. The wheel and the finger are heard themselves:
 * the browser scrolls on its own, and a line that is drawn at that moment would undo it before it is reported.
 */
export function useFollowing(
  box: { current: HTMLDivElement | null },
  view: RowView,
  { book, memory, isFollowing, onFollow }: Following,
  isLeaving: RefObject<boolean>,
) {
  const before = useRef(0);
  const finger = useRef(0);
  const turn = (isUp: boolean) => {
    isLeaving.current = isUp && (box.current?.scrollTop ?? 0) > 0;
    if (isFollowing && isLeaving.current) onFollow(false);
  };
  return {
    // With these keys the wheel zooms, or scrolls sideways.
    onWheel: ({ deltaY, ctrlKey, shiftKey }: WheelEvent) => deltaY !== 0 && !ctrlKey && !shiftKey && turn(deltaY < 0),
    onTouchStart: ({ touches }: TouchEvent) => {
      finger.current = touches[0]?.clientY ?? 0;
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const moved = (touches[0]?.clientY ?? 0) - finger.current;
      finger.current += moved;
      if (moved !== 0) turn(moved > 0);
    },
    onScroll: () => {
      const place = box.current;
      if (!place) return;
      view.scrolled(place.scrollTop);
      placeIn.set(memory, view.offset);
      const isUp = view.offset < before.current - 2;
      const { isAtEnd } = view;
      before.current = view.offset;
      if (isUp && !isAtEnd) isLeaving.current = false;
      if (isFollowing && isUp && !isAtEnd) onFollow(false);
      if (!isFollowing && !isUp && isAtEnd && !isLeaving.current && !book.isOver) onFollow(true);
    },
  };
}
