import { useStoreApi } from "@xyflow/react";
import { useEffect, useState } from "react";
import type { Box } from "./boxes.ts";
import type { Point } from "./layout.ts";
import { few, nearView, viewOf } from "./near-part.ts";

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
