import type { components } from "../api/schema.generated.ts";
import { layoutGraph, type Point } from "../graph/layout.ts";

type Task = components["schemas"]["WorkflowTask"];
export type Change = "same" | "added" | "removed" | "changed";

export interface PictureNode {
  id: string;
  type: string;
  change: Change;
}
export interface PictureEdge {
  from: string;
  to: string;
  /** When the edge holds; empty: always. */
  condition: string;
  change: Change;
}
export interface PictureGraph {
  nodes: PictureNode[];
  edges: PictureEdge[];
}

/** Tasks and dependencies as nodes and edges, none of them changed. */
export function graphOf(tasks: readonly Task[]): PictureGraph {
  return {
    nodes: tasks.map(({ name, type }) => ({ id: name, type: type ?? "template", change: "same" })),
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

/** In a word: on success, on failure, or the patterns of a decision. */
export function conditionOf({ executionCondition, decisionCondition }: components["schemas"]["WorkflowTaskDependency"]): string {
  if (decisionCondition) return decisionCondition.split("\n").join(", ");
  if (executionCondition === "success") return "on success";
  return executionCondition === "failure" ? "on failure" : "";
}

export const nodeSize = { width: 168, height: 40 };

export interface Placed {
  nodes: (PictureNode & Point)[];
  edges: (PictureEdge & { path: string; middle: Point })[];
  width: number;
  height: number;
}

/** Where everything is drawn. */
export function place({ nodes, edges }: PictureGraph): Placed {
  const points = layoutGraph(
    nodes.map(({ id }) => ({ id, ...nodeSize })),
    edges,
  );
  const at = (id: string) => points.get(id) ?? { x: 0, y: 0 };
  const placed = nodes.map((node) => ({ ...node, ...at(node.id) }));
  return {
    nodes: placed,
    edges: edges
      .filter(({ from, to }) => points.has(from) && points.has(to))
      .map((edge) => ({ ...edge, ...curve(at(edge.from), at(edge.to)) })),
    width: Math.max(0, ...placed.map(({ x }) => x + nodeSize.width)) + 16,
    height: Math.max(0, ...placed.map(({ y }) => y + nodeSize.height)) + 16,
  };
}

function curve(from: Point, to: Point): { path: string; middle: Point } {
  const start = { x: from.x + nodeSize.width, y: from.y + nodeSize.height / 2 };
  const end = { x: to.x - 5, y: to.y + nodeSize.height / 2 };
  const bend = Math.max(24, (end.x - start.x) / 2);
  return {
    path: `M${start.x},${start.y} C${start.x + bend},${start.y} ${end.x - bend},${end.y} ${end.x},${end.y}`,
    middle: { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 },
  };
}
