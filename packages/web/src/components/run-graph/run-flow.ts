import { type Edge, type Node, Position } from "@xyflow/react";
import { type Box, meets, span } from "../../graph/boxes.ts";
import type { FarEdge } from "../../graph/far-edges.tsx";
import { coveredBy, type LabelPlace, labelPlace, signWidth, wordsWidth } from "../../graph/label-place.ts";
import type { Point } from "../../graph/layout.ts";
import { sizeOf } from "../../graph/node-size.ts";
import { layoutOf, type PlacedTask, placesOf } from "../../graph/task-places.ts";
import { t } from "../../texts/run/run.ts";
import { rankLayout } from "./rank-layout.ts";
import type { RunEdge, RunGraph, RunNode } from "./run-graph-model.ts";
import type { RunNodeData } from "./run-task-node.tsx";

/** Graphs with more nodes are arranged by rank only. */
export const manyNodes = 400;

type Places = ReadonlyMap<string, Point>;

/** The positions of a run's tasks: the same as in the designer, so that they are easy to find. */
export function runPlaces(tasks: readonly PlacedTask[]): Places {
  return placesOf(tasks, tasks.length > manyNodes ? ranked : layoutOf);
}

function ranked(tasks: readonly PlacedTask[]): Map<string, Point> {
  const arrows = tasks.flatMap(({ name, dependencies }) => (dependencies ?? []).map(({ taskRef }) => ({ from: taskRef, to: name })));
  return rankLayout(
    tasks.map((task) => ({ id: task.name, ...sizeOf(task) })),
    arrows,
  );
}

export interface RunFlowInput {
  graph: RunGraph;
  places: Places;
  chosen: string | undefined;
  /** The part to render; undefined: everything. */
  near: Box | undefined;
  /** Whether text is unreadable at this zoom: only boxes and lines are drawn. */
  isFar: boolean;
  onChoose: (name: string) => void;
}

export interface RunFlow {
  nodes: Node<RunNodeData>[];
  edges: Edge[];
  farEdges: FarEdge[];
}

/**
 * Creates a function that computes what the canvas renders. Unchanged parts keep the same object identity, so that they aren't rendered
 * again.
 */
export function createRunFlow(): (input: RunFlowInput) => RunFlow {
  let kept = new Map<string, { parts: readonly unknown[]; made: Node<RunNodeData> }>();
  return (input) => {
    const next: typeof kept = new Map();
    const boxes = new Map(input.graph.nodes.map((node) => [node.name, boxOf(node, input.places)]));
    const nodes = input.graph.nodes.map((node) => {
      const box = boxes.get(node.name) as Box;
      const hidden = input.near !== undefined && !meets(input.near, box);
      const isChosen = input.chosen === node.name;
      const { task, type, items, plan } = node;
      // Counts are new objects each time.
      const parts = [task, type, plan, JSON.stringify(items), box.x, box.y, hidden, isChosen, input.isFar, input.onChoose];
      const before = kept.get(node.name);
      const isSame = before?.parts.every((part, index) => Object.is(part, parts[index])) ?? false;
      const made =
        isSame && before ? before.made : flowNode(node, box, { ...node, isChosen, isFar: input.isFar, onChoose: input.onChoose }, hidden);
      next.set(node.name, { parts, made });
      return made;
    });
    kept = next;
    return { nodes, ...edgesOf(input, boxes) };
  };
}

function boxOf(node: RunNode, places: Places): Box {
  return { ...(places.get(node.name) ?? { x: 0, y: 0 }), ...sizeOf(node) };
}

/** Sets the size and the ends of the edges, so that nothing has to be measured. */
function flowNode({ name, type }: RunNode, { x, y, width, height }: Box, data: RunNodeData, hidden: boolean): Node<RunNodeData> {
  const at = { y: height / 2, width: 1, height: 1 };
  return {
    id: name,
    type: "task",
    position: { x, y },
    ...{ width, height, data, hidden },
    measured: { width, height },
    handles: [
      ...(type === "start" ? [] : [{ ...at, x: 0, type: "target" as const, position: Position.Left }]),
      ...(type === "end" ? [] : [{ ...at, x: width, type: "source" as const, position: Position.Right }]),
    ],
  };
}

function edgesOf({ graph, near, isFar }: RunFlowInput, boxes: ReadonlyMap<string, Box>): Pick<RunFlow, "edges" | "farEdges"> {
  const links = graph.edges.flatMap((edge) => {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    return from && to ? [{ edge, from, to }] : [];
  });
  if (isFar) return { edges: [], farEdges: links };
  const drawn = near === undefined ? links : links.filter(({ from, to }) => meets(near, span(from, to)));
  const all = [...boxes.values()];
  const placed = drawn.map(({ edge, from, to }) => {
    const place = placeFor(edge, from, to, all);
    if (place) all.push(coveredBy(place));
    return flowEdge(edge, place);
  });
  return { edges: placed, farEdges: [] };
}

function placeFor({ label, isSign }: RunEdge, from: Box, to: Box, all: readonly Box[]): LabelPlace | undefined {
  return label === undefined ? undefined : labelPlace(from, to, isSign ? signWidth : wordsWidth(label), all);
}

const made = new WeakMap<RunEdge, Edge>();

function flowEdge(edge: RunEdge, place: LabelPlace | undefined): Edge {
  const { from, to, label, state } = edge;
  const flow = made.get(edge) ?? {
    id: `${from}\n${to}`,
    source: from,
    target: to,
    type: "run",
    data: { label, state, place, isUndo: edge.isUndo },
    ariaLabel: t(edge.isUndo ? "runEdge.undo" : "runEdge.fromTo", { from, to }),
  };
  made.set(edge, flow);
  return flow;
}
