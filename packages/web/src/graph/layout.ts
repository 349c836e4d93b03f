import dagre from "@dagrejs/dagre";

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

/** Gaps in pixels: between ranks there is room for the words of an edge. */
const gaps = { nodesep: 32, ranksep: 72, edgesep: 16, marginx: 16, marginy: 16 };

/** Places the nodes of a graph in ranks along its arrows. Answers the left upper corner of each. */
export function layoutGraph(nodes: readonly Sized[], arrows: readonly Arrow[], direction: "LR" | "TB" = "LR"): Map<string, Point> {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: direction, ...gaps });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { from, to } of arrows) if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to);
  dagre.layout(graph);
  return new Map(
    nodes.map(({ id, width, height }) => {
      const { x, y } = graph.node(id);
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}
