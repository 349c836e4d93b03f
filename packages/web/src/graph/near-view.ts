import { useStoreApi } from "@xyflow/react";
import { useEffect, useState } from "react";
import type { Box } from "./boxes.ts";
import type { Point } from "./layout.ts";

const ways: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

/** How far an arrow key scrolls the drawing; farther with Shift. Undefined for other keys. */
export function arrowStep({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">): Point | undefined {
  const way = Object.hasOwn(ways, key) ? ways[key] : undefined;
  if (way === undefined || ctrlKey || metaKey || altKey) return undefined;
  const step = shiftKey ? 256 : 64;
  return { x: way.x * step, y: way.y * step };
}

/** Graphs with at most this many tasks are rendered completely. */
const few = 80;

/** The part of a canvas with that many nodes to render; undefined: everything. Usable only inside the canvas's provider. */
export function useNearView(nodes: number): Box | undefined {
  const store = useStoreApi();
  const [near, setNear] = useState<Box>(nothing);
  const isLarge = nodes > few;
  useEffect(() => {
    if (!isLarge) return;
    let kept: Box | undefined;
    const look = () => {
      const { transform, width, height } = store.getState();
      if (width === 0) return;
      const next = nearView(viewOf(transform, width, height), kept);
      if (next !== kept) setNear(next);
      kept = next;
    };
    look();
    return store.subscribe(look);
  }, [store, isLarge]);
  return isLarge ? near : undefined;
}

/** Used until the canvas has a size. */
const nothing: Box = { x: 0, y: 0, width: 0, height: 0 };

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
