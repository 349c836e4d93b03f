import type { components } from "@millrace/client/schema.generated.ts";
import { type Box, boundsOf, meets } from "../../graph/boxes.ts";
import { labelPlace } from "../../graph/label-place.ts";
import { type Point, type Route, routeGraph } from "../../graph/layout.ts";
import { nodeSize, sizeOf } from "../../graph/node-size.ts";
import { positionOf } from "../../graph/task-places.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { type Level, pathOf, wayOf } from "./edge-way.ts";

type Task = components["schemas"]["WorkflowTask"];
export type Change = "same" | "added" | "removed" | "changed";

/** Whether the tests of a workflow have covered a part of it. */
export type PathMark = "taken" | "missed";

export interface PictureNode {
  id: string;
  type: string;
  change: Change;
  /** In a test: whether the task ran. */
  mark?: PathMark | undefined;
  /** The task that the node uses. */
  taskRef?: string | null | undefined;
  /** The position that the author chose. */
  at?: Point | undefined;
}
export interface PictureEdge {
  from: string;
  to: string;
  /** The condition of the edge; empty: always. */
  condition: string;
  change: Change;
  /** In a test: whether the edge was taken. */
  mark?: PathMark | undefined;
}
export interface PictureGraph {
  nodes: PictureNode[];
  edges: PictureEdge[];
}

/** Tasks and dependencies as nodes and edges, marked as unchanged. */
export function graphOf(tasks: readonly Task[]): PictureGraph {
  return {
    nodes: tasks.map((task) => nodeOf(task, "same")),
    edges: tasks.flatMap(({ name, dependencies }) =>
      (dependencies ?? []).map((dependency) => ({
        from: dependency.taskRef,
        to: name,
        condition: conditionOf(dependency),
        change: "same" as const,
      })),
    ),
  };
}

export function nodeOf(task: Task, change: Change): PictureNode {
  const { name, type, taskRef } = task;
  const at = positionOf(task);
  return { id: name, type: type ?? "template", change, ...(taskRef && { taskRef }), ...(at && { at }) };
}

/** In a few words: on success, on failure, or the patterns of a decision. */
export function conditionOf({ executionCondition, decisionCondition }: components["schemas"]["WorkflowTaskDependency"]): string {
  if (decisionCondition) return decisionCondition.split("\n").join(", ");
  if (executionCondition === "success") return t("pictureOfGraph.success");
  return executionCondition === "failure" ? t("pictureOfGraph.failure") : "";
}

/** The label of an edge: its change, and its condition. */
export function wordsOf({ change, condition }: Pick<PictureEdge, "change" | "condition">): string {
  const short = condition.length > longestCondition ? `${condition.slice(0, longestCondition - 1)}…` : condition;
  return [change === "same" ? "" : t(`pictureOfGraph.${change}`), short].filter(Boolean).join(" · ");
}

const longestCondition = 16;
/** The maximum size of a letter in these labels. */
const letter = { width: 7, height: 16 };

export interface Placed {
  nodes: (PictureNode & Box)[];
  /** `label` is the position of the edge's label, `reach` the area of its line. */
  edges: (PictureEdge & { path: string; label: Point; reach: Box })[];
  width: number;
  height: number;
}

/**
 * The positions of everything: each task where its author put it, as in the designer. If a task has no position, or a removed task's
 * position is in use, the graph gets a new automatic layout in which no line crosses a task.
 */
export function place({ nodes, edges }: PictureGraph): Placed {
  const known = new Set(nodes.map(({ id }) => id));
  const drawn = edges.filter(({ from, to }) => known.has(from) && known.has(to));
  return placeAsPut(nodes, drawn) ?? placeInRanks(nodes, drawn);
}

function placeAsPut(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): Placed | undefined {
  const all = nodes.map((node) => ({ ...(node.at ?? { x: 0, y: 0 }), ...sizeOf({ name: node.id, type: node.type }) }));
  const bounds = boundsOf(all);
  if (bounds === undefined || nodes.some(({ at }) => at === undefined)) return undefined;
  if (anyMeet(all)) return undefined;
  const boxes = all.map((box) => ({ ...box, x: box.x - bounds.x + margin, y: box.y - bounds.y + margin }));
  const byId = new Map(nodes.map(({ id }, index) => [id, boxes[index] as Box]));
  return {
    nodes: nodes.map((node, index) => ({ ...node, ...(boxes[index] as Box) })),
    edges: edges.map((edge) => {
      const [from, to] = [byId.get(edge.from) as Box, byId.get(edge.to) as Box];
      const { width } = roomFor(wordsOf(edge));
      // A place that covers no task is looked for among all tasks, and most lines have no words.
      return { ...edge, ...lineOf(wayOf(from, to, [])), label: width === 0 ? to : labelPlace(from, to, width, boxes) };
    }),
    width: bounds.width + 2 * margin,
    height: bounds.height + 2 * margin,
  };
}

/** Compares each only with those that begin before its right side. */
function anyMeet(boxes: readonly Box[]): boolean {
  const sorted = boxes.toSorted((one, other) => one.x - other.x);
  return sorted.some((box, index) => {
    for (let next = index + 1; next < sorted.length; next++) {
      const other = sorted[next] as Box;
      if (other.x >= box.x + box.width) return false;
      if (meets(box, other)) return true;
    }
    return false;
  });
}

function placeInRanks(nodes: readonly PictureNode[], drawn: readonly PictureEdge[]): Placed {
  const sized = nodes.map(({ id, type }) => ({ id, ...sizeOf({ name: id, type }) }));
  const arrows = drawn.map((edge) => ({ ...edge, label: roomFor(wordsOf(edge)) }));
  const { corners, routes } = routeGraph(sized, arrows);
  const boxes = new Map(sized.map(({ id, width, height }) => [id, { ...(corners.get(id) as Point), width, height }]));
  const columns = new Set([...boxes.values()].map(({ x, width }) => Math.round(x + width / 2)));
  const ways = arrows.map(({ from, to, label }, index) => {
    const route = routes[index] as Route;
    return wayOf(boxes.get(from) as Box, boxes.get(to) as Box, levelsOf(route, columns, label.width));
  });
  const reach = [...[...boxes.values()].map(({ x, y, width, height }) => ({ x: x + width, y: y + height })), ...ways.flat()];
  return {
    nodes: nodes.map((node) => ({ ...node, ...(boxes.get(node.id) as Box) })),
    edges: drawn.map((edge, index) => ({ ...edge, ...lineOf(ways[index] ?? []), label: (routes[index] as Route).label })),
    width: Math.max(0, ...reach.map(({ x }) => x)) + margin,
    height: Math.max(0, ...reach.map(({ y }) => y)) + margin,
  };
}

function lineOf(way: readonly Point[]): { path: string; reach: Box } {
  // A straight line has no area of its own, and would meet nothing.
  const boxes = way.map(({ x, y }) => ({ x: x - 1, y: y - 1, width: 2, height: 2 }));
  return { path: pathOf(way), reach: boundsOf(boxes) ?? { x: 0, y: 0, width: 0, height: 0 } };
}

function levelsOf({ bends, label }: Route, columns: ReadonlySet<number>, words: number): Level[] {
  return bends.map(({ x, y }) => ({ x, y, width: columns.has(Math.round(x)) ? nodeSize.width : x === label.x ? words : 0 }));
}

const margin = 16;
function roomFor(words: string): { width: number; height: number } {
  return words === "" ? { width: 0, height: 0 } : { width: words.length * letter.width, height: letter.height };
}
