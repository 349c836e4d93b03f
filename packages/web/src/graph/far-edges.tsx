import { useStore, useStoreApi, ViewportPortal } from "@xyflow/react";
import { memo, useState } from "react";
import type { Box } from "./boxes.ts";
import classes from "./far-edges.module.css";

/** Graphs with at least this many tasks are drawn as boxes and lines when zoomed out. */
const many = 80;

/** Whether a large graph is zoomed out so far that text is unreadable. Usable only inside the canvas's provider. */
export function useIsFar(nodes: number): boolean {
  return useStore(({ transform }) => nodes > many && transform[2] < farZoom);
}

export interface FarEdge {
  from: Box;
  to: Box;
}

/** Below this zoom a name is unreadable (5 pixels high), so large graphs are drawn as plain boxes and lines. */
const farZoom = 0.4;

/**
 * The edges of a large graph that is zoomed far out, as a single path. They can be selected only at a zoom at which their labels are
 * readable.
 */
export const FarEdges = memo(function FarEdges({ edges }: { edges: readonly FarEdge[] }) {
  return (
    <ViewportPortal>
      <svg className={classes.edges} aria-hidden>
        <path d={edges.map(lineOf).join("")} />
      </svg>
    </ViewportPortal>
  );
});

function lineOf({ from, to }: FarEdge): string {
  const [x, y, toX, toY] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2].map(Math.round) as [
    number,
    number,
    number,
    number,
  ];
  const bend = Math.max(24, Math.abs(toX - x) / 2);
  return `M${x},${y}C${x + bend},${y} ${toX - bend},${toY} ${toX},${toY}`;
}

/**
 * For a canvas in which all nodes declare their size and the ends of their edges: nothing is measured when a node is added to the page.
 * Otherwise each node would be laid out immediately, and its edges rendered twice. Usable only inside the canvas's provider, above the
 * canvas.
 */
export function useKnownSizes(): void {
  const store = useStoreApi();
  useState(() => store.setState({ updateNodeInternals: () => {} }));
}
