import { useStore, useStoreApi, ViewportPortal } from "@xyflow/react";
import { memo, useState } from "react";
import type { Box } from "./boxes.ts";
import classes from "./far-edges.module.css";

/** A graph of so many tasks is seen as boxes and lines from far away. */
const many = 80;

/** Whether so much of a large graph is seen that nothing can be read. Only inside of the canvas's provider. */
export function useIsFar(nodes: number): boolean {
  return useStore(({ transform }) => nodes > many && transform[2] < farZoom);
}

export interface FarEdge {
  from: Box;
  to: Box;
}

/** Below this zoom a name can't be read (it would be 5 pixels high): a large graph shows plain boxes and lines there. */
const farZoom = 0.4;

/** The edges of a large graph that is seen from far away: one line for all of them. They can be chosen where their words can be read. */
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
 * For a canvas whose nodes all say their size and where their edges end: nothing is measured when a node comes into the page.
 * Otherwise each one would be laid out at once, and its edges drawn a second time. Only inside of the canvas's provider, above the
 * canvas.
 */
export function useKnownSizes(): void {
  const store = useStoreApi();
  useState(() => store.setState({ updateNodeInternals: () => {} }));
}
