import { useStoreApi } from "@xyflow/react";
import { useEffect, useState } from "react";
import { type Box, nearView, viewOf } from "./near-view.ts";

/** Graphs of no more tasks are drawn as a whole. */
const few = 80;

/** Of a canvas with that many nodes: which part is to be drawn; undefined: all of it. Only inside of the canvas's provider. */
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

/** Until the canvas has a size. */
const nothing: Box = { x: 0, y: 0, width: 0, height: 0 };
