import type { CanvasNodePosition } from "@millrace/contract/workflow/canvas.ts";

/** Distance between two layers, and between two nodes of a layer, in the units of the designer. */
const layerGap = 320;
const nodeGap = 140;

export interface LayoutNode {
  name: string;
  dependencies: readonly { taskRef: string }[];
  /** The position that a person has chosen. */
  position: CanvasNodePosition | undefined;
}

/**
 * A position for each node, in their order. Nodes that a person has positioned stay there; the others are placed from left to right by
 * their longest path from the start, below all positioned nodes. The same nodes always get the same layout. Time is linear in nodes and
 * edges.
 */
export function layOutNodes(nodes: readonly LayoutNode[]): CanvasNodePosition[] {
  const layers = layersOf(nodes);
  const placed = nodes.flatMap((node) => (node.position ? [node.position.y] : []));
  const top = placed.length === 0 ? 0 : placed.reduce((low, y) => Math.max(low, y), Number.NEGATIVE_INFINITY) + nodeGap;
  const filled = new Map<number, number>();
  return nodes.map((node, index) => {
    if (node.position) return node.position;
    const layer = layers[index] ?? 0;
    const row = filled.get(layer) ?? 0;
    filled.set(layer, row + 1);
    return { x: layer * layerGap, y: top + row * nodeGap };
  });
}

/** The length of the longest path to each node. Nodes on a cycle, or after one, keep the length found so far. */
function layersOf(nodes: readonly LayoutNode[]): number[] {
  const indexOf = new Map(nodes.map((node, index) => [node.name, index]));
  const successors = nodes.map((): number[] => []);
  const open = nodes.map(() => 0);
  for (const [index, node] of nodes.entries()) {
    for (const dependency of node.dependencies) {
      const from = indexOf.get(dependency.taskRef);
      if (from === undefined) continue;
      successors[from]?.push(index);
      open[index] = (open[index] ?? 0) + 1;
    }
  }
  const layers = nodes.map(() => 0);
  const queue = nodes.flatMap((_, index) => (open[index] === 0 ? [index] : []));
  for (let next = 0; next < queue.length; next++) {
    const from = queue[next] ?? 0;
    for (const to of successors[from] ?? []) {
      layers[to] = Math.max(layers[to] ?? 0, (layers[from] ?? 0) + 1);
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) queue.push(to);
    }
  }
  return layers;
}
