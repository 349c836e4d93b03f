import { describe, expect, test } from "vitest";
import { nodeSize } from "../../graph/node-size.ts";
import { type Change, type PictureGraph, type Placed, place, wordsOf } from "./picture-of-graph.ts";

/** `a b- c`: tasks, `b` having been removed; `a>b b>c-`: edges. */
function graph(tasks: string, edges: string): PictureGraph {
  const marks: Readonly<Record<string, Change>> = { "-": "removed", "+": "added", "~": "changed" };
  const read = (text: string) => ({ text: text.replace(/[-+~]$/, ""), change: marks[text.at(-1) ?? ""] ?? "same" });
  return {
    nodes: tasks.split(" ").map((word) => {
      const { text, change } = read(word);
      return { id: text, type: "template", change };
    }),
    edges: edges.split(" ").map((word) => {
      const { text, change } = read(word);
      const [from = "", to = ""] = text.split(">");
      return { from, to, condition: "", change };
    }),
  };
}

const graphs: [string, PictureGraph][] = [
  ["a task taken out of a row", graph("a b- c", "a>b- b>c- a>c+")],
  ["a removed edge past three tasks", graph("a b c d e", "a>b b>c c>d d>e a>e-")],
  ["an edge turned round", graph("a b", "a>b- b>a+")],
  ["a circle of what is and what was", graph("a b c d", "a>b b>c c>d d>a-")],
  ["a removed edge that led back past others", graph("start a b c end", "start>a a>b b>c c>end c>a- start>end-")],
  ["many that meet", graph("a b c d e f-", "a>d b>d c>d- a>e d>e c>f- f>e- a>f-")],
];

describe("in the picture of two versions", () => {
  test.each(graphs)("no edge crosses a task, and each has its own path: %s", (_, given) => {
    const placed = place(given);
    expect(placed.edges).toHaveLength(given.edges.length);
    for (const edge of placed.edges) expect([edge.from, edge.to, touched(placed, edge)]).toEqual([edge.from, edge.to, []]);
    expect(new Set(placed.edges.map(({ path }) => path)).size).toBe(given.edges.length);
  });

  test.each(graphs)("everything is inside the picture, and tasks and edge labels don't overlap: %s", (_, given) => {
    const { nodes, edges, width, height } = place(given);
    const words = edges.filter(({ change }) => change !== "same").map(({ label }) => ({ ...label }));
    for (const { x, y } of [...nodes.map(({ x, y }) => ({ x: x + nodeSize.width, y: y + nodeSize.height })), ...words]) {
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeLessThanOrEqual(height);
    }
    expect(new Set(words.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size).toBe(words.length);
  });

  test.each(graphs)("an edge is horizontal below its label: %s", (_, given) => {
    for (const { label, path, change } of place(given).edges) {
      if (change === "same") continue;
      const near = pointsOf(path).filter(({ x }) => Math.abs(x - label.x) < 20);
      expect([near.length > 0, near.every(({ y }) => Math.abs(y - label.y) < 1)]).toEqual([true, true]);
    }
  });

  test.each<[Change, string, string]>([
    ["same", "", ""],
    ["same", "on success", "on success"],
    ["removed", "", "removed"],
    ["changed", "on failure", "changed · on failure"],
    ["added", "a very long pattern", "added · a very long pat…"],
  ])("an edge that is %s and holds %s is labelled %s", (change, condition, words) => {
    expect(wordsOf({ change, condition })).toBe(words);
  });

  test("tasks are where their author has placed them, unless one has no position or two share one", () => {
    const at = (...places: ({ x: number; y: number } | undefined)[]): PictureGraph => ({
      ...graph("a b", "a>b"),
      nodes: places.map((place, index) => ({ id: "ab"[index]!, type: "template", change: "same", at: place })),
    });
    const corners = (given: PictureGraph) => place(given).nodes.map(({ x, y }) => [x, y]);
    expect(corners(at({ x: 100, y: 400 }, { x: 400, y: 100 }))).toEqual([
      [16, 316],
      [316, 16],
    ]);
    const laidOut = corners(graph("a b", "a>b"));
    expect([corners(at({ x: 0, y: 0 }, undefined)), corners(at({ x: 0, y: 0 }, { x: 90, y: 0 }))]).toEqual([laidOut, laidOut]);
  });

  test("an edge of a task that is not there is left out", () => {
    expect(place(graph("a", "a>b")).edges).toEqual([]);
  });
});

/** The tasks that an edge's line touches, except its own two. */
function touched({ nodes }: Placed, { from, to, path }: Placed["edges"][number]): string[] {
  const points = pointsOf(path);
  return nodes
    .filter(({ id }) => id !== from && id !== to)
    .filter(({ x, y }) => points.some((at) => at.x > x && at.x < x + nodeSize.width && at.y > y && at.y < y + nodeSize.height))
    .map(({ id }) => id);
}

/** Points along the curves. */
function pointsOf(path: string): { x: number; y: number }[] {
  const numbers = path.match(/-?[\d.]+/g)?.map(Number) ?? [];
  const points = Array.from({ length: numbers.length / 2 }, (_, index) => ({ x: numbers[2 * index]!, y: numbers[2 * index + 1]! }));
  const curves = (points.length - 1) / 3;
  return Array.from({ length: curves }, (_, curve) => points.slice(3 * curve, 3 * curve + 4)).flatMap((four) =>
    Array.from({ length: 21 }, (_, step) => bezier(four, step / 20)),
  );
}

function bezier(four: { x: number; y: number }[], t: number): { x: number; y: number } {
  const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
  const sum = (axis: "x" | "y") => four.reduce((total, point, index) => total + point[axis] * weights[index]!, 0);
  return { x: sum("x"), y: sum("y") };
}
