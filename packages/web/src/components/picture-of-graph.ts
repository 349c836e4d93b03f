import type { components } from "../api/schema.generated.ts";
import { type Point, routeGraph } from "../graph/layout.ts";

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

/** What is said beside an edge: what became of it, and when it holds. */
export function wordsOf({ change, condition }: Pick<PictureEdge, "change" | "condition">): string {
  const short = condition.length > longestCondition ? `${condition.slice(0, longestCondition - 1)}…` : condition;
  return [change === "same" ? "" : change, short].filter(Boolean).join(" · ");
}

const longestCondition = 16;
/** Of a letter of these words, at the widest. */
const letter = { width: 7, height: 16 };

export const nodeSize = { width: 168, height: 40 };

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
  const { corners, routes } = routeGraph(
    nodes.map(({ id }) => ({ id, ...nodeSize })),
    drawn.map((edge) => ({ ...edge, label: roomFor(wordsOf(edge)) })),
  );
  const placed = nodes.map((node) => ({ ...node, ...(corners.get(node.id) ?? { x: 0, y: 0 }) }));
  const at = new Map(placed.map((node) => [node.id, node]));
  const columns = new Set(placed.map(({ x }) => Math.round(x + nodeSize.width / 2)));
  const ways = routes.map(({ bends, label }, index) => {
    const edge = drawn[index] as PictureEdge;
    const words = roomFor(wordsOf(edge));
    const levels = bends.map(({ x, y }) => ({
      x,
      y,
      width: columns.has(Math.round(x)) ? nodeSize.width : x === label.x ? words.width : 0,
    }));
    const way = wayOf(at.get(edge.from) as Point, at.get(edge.to) as Point, levels);
    return { way, label };
  });
  const reach = [...placed.map(({ x, y }) => ({ x: x + nodeSize.width, y: y + nodeSize.height })), ...ways.flatMap(({ way }) => way)];
  return {
    nodes: placed,
    edges: drawn.map((edge, index) => ({ ...edge, path: pathOf(ways[index]?.way ?? []), label: ways[index]?.label ?? { x: 0, y: 0 } })),
    width: Math.max(0, ...reach.map(({ x }) => x)) + margin,
    height: Math.max(0, ...reach.map(({ y }) => y)) + margin,
  };
}

const margin = 16;
/** Of the head of an arrow, which ends before the task. */
const head = 5;

function roomFor(words: string): { width: number; height: number } {
  return words === "" ? { width: 0, height: 0 } : { width: words.length * letter.width, height: letter.height };
}

/** A part of a line that is level, around a point: past the tasks of a column, or below the words of the line itself. */
interface Level extends Point {
  /** 0: the line needs none there. */
  width: number;
}

/** The points that a line goes through: out of a task on the side where it leads, and into the other one. An arrow that leads back leaves on the left. */
function wayOf(from: Point, to: Point, levels: readonly Level[]): Point[] {
  const isBack = to.x < from.x;
  const side = (corner: Point, isRight: boolean, gap: number) => ({
    x: isRight ? corner.x + nodeSize.width + gap : corner.x - gap,
    y: corner.y + nodeSize.height / 2,
  });
  const past = levels
    .filter(({ width }) => width > 0)
    .flatMap(({ x, y, width }) => [
      { x: x - width / 2, y },
      { x: x + width / 2, y },
    ]);
  // The bends of one that leads back come from the right.
  const inOrder = isBack ? past.sort((one, other) => other.x - one.x) : past;
  return [side(from, !isBack, 0), ...inOrder, side(to, isBack, head)];
}

/** Level at each point, so that the parts of a line meet smoothly. */
function pathOf([first, ...others]: readonly Point[]): string {
  if (first === undefined) return "";
  let before = first;
  const curves = others.map((next) => {
    const middle = (before.x + next.x) / 2;
    const curve = `C${middle},${before.y} ${middle},${next.y} ${next.x},${next.y}`;
    before = next;
    return curve;
  });
  return [`M${first.x},${first.y}`, ...curves].join(" ");
}
