import type { Box } from "./boxes.ts";

/** Graphs with at most this many tasks are rendered completely. */
export const few = 80;

/**
 * As shares of the view's size: how much is rendered around it, and how close the view may come to the edge of that before more is
 * rendered.
 */
const around = 0.6;
const atLeast = 0.25;

/**
 * The part of a large graph to render: the visible part and some space around it. It stays the same object while the view moves within it,
 * so that moving renders nothing new. Anything farther away costs nothing.
 */
export function nearView(view: Box, before: Box | undefined): Box {
  if (before !== undefined && holds(before, grown(view, atLeast)) && holds(grown(view, 2 * around + 0.5), before)) return before;
  return grown(view, around);
}

/** The visible area in the coordinates of the graph. */
export function viewOf([x, y, zoom]: readonly [number, number, number], width: number, height: number): Box {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

function grown({ x, y, width, height }: Box, part: number): Box {
  return { x: x - part * width, y: y - part * height, width: width * (1 + 2 * part), height: height * (1 + 2 * part) };
}

function holds(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
