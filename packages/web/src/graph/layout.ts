import dagre, { type GraphLabel } from "@dagrejs/dagre";
import { nodeGap } from "./node-size.ts";

export interface Sized {
  id: string;
  width: number;
  height: number;
}
export interface Arrow {
  from: string;
  to: string;
}
export interface Point {
  x: number;
  y: number;
}

/** Gaps in pixels. The labels of edges get additional space between the ranks. */
const gaps = { nodesep: nodeGap.y, ranksep: nodeGap.x, edgesep: 16, marginx: 16, marginy: 16 };

/** Arranges the nodes of a graph in ranks along its arrows. Returns the top left corner of each. */
export function layoutGraph(
  nodes: readonly Sized[],
  arrows: readonly (Arrow & Partial<LabelledArrow>)[],
  direction: "LR" | "TB" = "LR",
): Map<string, Point> {
  return cornersOf(arrange(nodes, arrows, direction), nodes);
}

/** An arrow with space for its label. */
export interface LabelledArrow extends Arrow {
  label: { width: number; height: number };
}

/** The points at which an arrow bends to pass other nodes, and the position of its label. */
export interface Route {
  bends: Point[];
  label: Point;
}

/** The same from left to right, including the routes of the arrows, which avoid all nodes. In a cycle, one arrow leads back. */
export function routeGraph(nodes: readonly Sized[], arrows: readonly LabelledArrow[]): { corners: Map<string, Point>; routes: Route[] } {
  const graph = arrange(nodes, arrows, "LR");
  const routes = arrows.map(({ from, to }) => {
    const { points = [], x, y } = graph.edge(from, to);
    const bends = points.slice(1, -1);
    return { bends, label: x === undefined || y === undefined ? (bends[Math.floor(bends.length / 2)] ?? { x: 0, y: 0 }) : { x, y } };
  });
  return { corners: cornersOf(graph, nodes), routes };
}

/** The library's output: the centre of each node, and the route and label position of each edge. */
interface Arranged {
  width?: number;
  height?: number;
  labelpos?: "c";
  points?: Point[];
  x?: number;
  y?: number;
}

function arrange(nodes: readonly Sized[], arrows: readonly (Arrow & Partial<LabelledArrow>)[], direction: "LR" | "TB") {
  const graph = new dagre.graphlib.Graph<GraphLabel, Arranged, Arranged>();
  graph.setGraph({ rankdir: direction, ...gaps });
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { from, to, label } of arrows)
    if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, { ...label, labelpos: "c" });
  dagre.layout(graph);
  return graph;
}

function cornersOf(graph: ReturnType<typeof arrange>, nodes: readonly Sized[]): Map<string, Point> {
  return new Map(
    nodes.map(({ id, width, height }) => {
      const { x = 0, y = 0 } = graph.node(id);
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}
