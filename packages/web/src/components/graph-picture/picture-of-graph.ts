import type { components } from "@millrace/client/schema.generated.ts";
import { type Point, type Route, routeGraph } from "../../graph/layout.ts";
import { t } from "../../texts/workflows.ts";
import { type Level, nodeSize, pathOf, wayOf } from "./edge-way.ts";

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
  if (executionCondition === "success") return t("pictureOfGraph.success");
  return executionCondition === "failure" ? t("pictureOfGraph.failure") : "";
}

/** What is said beside an edge: its outcome, and when it holds. */
export function wordsOf({ change, condition }: Pick<PictureEdge, "change" | "condition">): string {
  const short = condition.length > longestCondition ? `${condition.slice(0, longestCondition - 1)}…` : condition;
  return [change === "same" ? "" : t(`pictureOfGraph.${change}`), short].filter(Boolean).join(" · ");
}

const longestCondition = 16;
/** Of a letter of these words, at the widest. */
const letter = { width: 7, height: 16 };

export interface Placed {
  nodes: (PictureNode & Point)[];
  /** `label` is where the words of the edge stand. */
  edges: (PictureEdge & { path: string; label: Point })[];
  width: number;
  height: number;
}

/** Where everything is drawn. What is gone has its place and its way like all else, so no line runs through a task. */
export function place({ nodes, edges }: PictureGraph): Placed {
  const known = new Set(nodes.map(({ id }) => id));
  const drawn = edges.filter(({ from, to }) => known.has(from) && known.has(to));
  const sized = nodes.map(({ id }) => ({ id, ...nodeSize }));
  const arrows = drawn.map((edge) => ({ ...edge, label: roomFor(wordsOf(edge)) }));
  const { corners, routes } = routeGraph(sized, arrows);
  const columns = new Set([...corners.values()].map(({ x }) => Math.round(x + nodeSize.width / 2)));
  const ways = arrows.map(({ from, to, label }, index) => {
    const route = routes[index] as Route;
    return wayOf(corners.get(from) as Point, corners.get(to) as Point, levelsOf(route, columns, label.width));
  });
  const reach = [...[...corners.values()].map(({ x, y }) => ({ x: x + nodeSize.width, y: y + nodeSize.height })), ...ways.flat()];
  return {
    nodes: nodes.map((node) => ({ ...node, ...(corners.get(node.id) as Point) })),
    edges: drawn.map((edge, index) => ({ ...edge, path: pathOf(ways[index] ?? []), label: (routes[index] as Route).label })),
    width: Math.max(0, ...reach.map(({ x }) => x)) + margin,
    height: Math.max(0, ...reach.map(({ y }) => y)) + margin,
  };
}

function levelsOf({ bends, label }: Route, columns: ReadonlySet<number>, words: number): Level[] {
  return bends.map(({ x, y }) => ({ x, y, width: columns.has(Math.round(x)) ? nodeSize.width : x === label.x ? words : 0 }));
}

const margin = 16;
function roomFor(words: string): { width: number; height: number } {
  return words === "" ? { width: 0, height: 0 } : { width: words.length * letter.width, height: letter.height };
}
