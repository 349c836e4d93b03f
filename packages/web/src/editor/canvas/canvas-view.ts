import { type ReactFlowInstance, useReactFlow, type Viewport } from "@xyflow/react";
import { useMemo } from "react";
import { type Box, boundsOf } from "../../graph/boxes.ts";
import type { Point } from "../../graph/layout.ts";
import { markerOf, nodeGap, nodeSize, sizeOf } from "../../graph/node-size.ts";
import { positionOf } from "../../graph/task-places.ts";
import type { Draft } from "../draft/draft.ts";
import type { FlowEdge, FlowNode } from "./flow-elements.ts";

type Flow = ReactFlowInstance<FlowNode, FlowEdge>;

/** The space that the tools take up at the edges of the canvas. */
const margin = { x: 16, y: 64 };

function canvasBox(): DOMRect | undefined {
  return document.querySelector(".react-flow")?.getBoundingClientRect();
}

/** Moves the canvas just far enough to show the task at that place; doesn't move it if the task is already visible. */
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

/** A workflow is shown as a whole if it stays readable, with no text below 12 px; otherwise its start is shown at a readable size. */
const readable = 0.93;

/** The initial view: the whole workflow if it is readable, otherwise its start. A task named in the URL is scrolled into view. */
export function openView(flow: Pick<Flow, "getViewport" | "setViewport">, draft: Draft, selected: ReadonlySet<string>): void {
  const canvas = canvasBox();
  const all = boundsOf(draft.tasks.map((task) => ({ ...(positionOf(task) ?? { x: 0, y: 0 }), ...sizeOf(task) })));
  if (!canvas || !all) return;
  void flow.setViewport(wholeView(all, canvas) ?? startView(draft, all, canvas));
  const chosen = draft.tasks.find(({ name }) => selected.has(name));
  const place = chosen && positionOf(chosen);
  if (place) bringIntoView(flow, place);
}

/** Shows everything, centred; undefined if it would be too small. */
function wholeView(all: Box, canvas: DOMRect): Viewport | undefined {
  const zoom = Math.min(1, (canvas.width - 2 * margin.x) / all.width, (canvas.height - 2 * margin.y) / all.height);
  if (zoom < readable) return undefined;
  return {
    x: (canvas.width - all.width * zoom) / 2 - all.x * zoom,
    y: canvas.height / 2 - (all.y + all.height / 2) * zoom,
    zoom,
  };
}

/**
 * Shows the start at the left, as large as five columns allow. The row is centred vertically, unless the space above or below it isn't
 * needed.
 */
function startView(draft: Draft, all: Box, canvas: DOMRect): Viewport {
  const zoom = Math.min(1, Math.max(readable, canvas.width / (5 * (nodeSize.width + nodeGap.x))));
  const start = draft.tasks.find((task) => markerOf(task) === "start");
  const { x, y } = (start && positionOf(start)) ?? { x: all.x, y: all.y };
  const isLow = all.height * zoom <= canvas.height - 2 * margin.y;
  const middle = isLow ? all.y + all.height / 2 : y + nodeSize.height / 2;
  return { x: margin.x - x * zoom, y: canvas.height / 2 - middle * zoom, zoom };
}

const whole = { maxZoom: 1, padding: 0.1, includeHiddenNodes: true };

/** Ways to view the canvas, by a button or a key. */
export function useLookAround() {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  return useMemo(
    () => ({
      zoomIn: () => void flow.zoomIn(),
      zoomOut: () => void flow.zoomOut(),
      showAll: () => void flow.fitView(whole),
      showStart: (draft: Draft) => openView(flow, draft, new Set()),
      /** In screen pixels. */
      moveBy({ x, y }: Point) {
        const view = flow.getViewport();
        void flow.setViewport({ ...view, x: view.x + x, y: view.y + y });
      },
    }),
    [flow],
  );
}
