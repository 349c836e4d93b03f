import { useStore } from "@xyflow/react";
import { farZoom } from "./far-edges.tsx";

/** A graph of so many tasks is seen as boxes and lines from far away. */
const many = 80;

/** Whether so much of a large graph is seen that nothing can be read. Only inside of the canvas's provider. */
export function useIsFar(nodes: number): boolean {
  return useStore(({ transform }) => nodes > many && transform[2] < farZoom);
}
