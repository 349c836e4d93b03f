import type { ReactFlowInstance } from "@xyflow/react";
import type { Point } from "../graph/layout.ts";
import { type Draft, markerOf, positionOf } from "./draft.ts";
import type { FlowEdge, FlowNode } from "./flow-graph.ts";
import { nodeSize } from "./node-size.ts";

type Flow = Pick<ReactFlowInstance<FlowNode, FlowEdge>, "getViewport" | "setViewport" | "fitView" | "getZoom">;

/** Room that the tools at the edges of the canvas take. */
const margin = { x: 16, y: 64 };

function canvasBox(): DOMRect | undefined {
  return document.querySelector(".react-flow")?.getBoundingClientRect();
}

/** Moves the canvas just as far as is needed to see the task at that place, and not at all when it is seen. */
export function bringIntoView(flow: Pick<Flow, "getViewport" | "setViewport">, at: Point): void {
  const box = canvasBox();
  if (!box) return;
  const { x, y, zoom } = flow.getViewport();
  const dx = overhang(at.x * zoom + x, nodeSize.width * zoom, box.width, margin.x);
  const dy = overhang(at.y * zoom + y, nodeSize.height * zoom, box.height, margin.y);
  const duration = window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150;
  if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration });
}

function overhang(from: number, size: number, room: number, edge: number): number {
  if (from < edge) return edge - from;
  return Math.min(0, room - edge - (from + size));
}

/** Below this nothing can be read: a large workflow opens at its start instead of as a whole, and there at a size for reading. */
const leastZoom = 0.5;
const startZoom = 0.75;

/** How the canvas opens: the whole workflow where it can be read, else its start; and what the address names is in sight. */
export function openView(flow: Flow, draft: Draft, selected: ReadonlySet<string>): void {
  const box = canvasBox();
  const points = draft.tasks.flatMap((task) => positionOf(task) ?? []);
  if (!box || points.length === 0) return;
  const [left, top] = [Math.min(...points.map(({ x }) => x)), Math.min(...points.map(({ y }) => y))];
  const width = Math.max(...points.map(({ x }) => x)) - left + nodeSize.width;
  const height = Math.max(...points.map(({ y }) => y)) - top + nodeSize.height;
  const whole = Math.min(1, (box.width - 2 * margin.x) / width, (box.height - 2 * margin.y) / height);
  const isWhole = whole >= leastZoom;
  const zoom = isWhole ? whole : startZoom;
  const start = draft.tasks.find((task) => markerOf(task) === "start");
  const { x, y } = isWhole ? { x: left, y: top + height / 2 } : ((start && positionOf(start)) ?? { x: left, y: top });
  const at = isWhole ? (box.width - width * zoom) / 2 : margin.x;
  void flow.setViewport({ x: at - x * zoom, y: box.height / 2 - y * zoom, zoom });
  const chosen = draft.tasks.find(({ name }) => selected.has(name));
  const place = chosen && positionOf(chosen);
  if (place) bringIntoView(flow, place);
}
