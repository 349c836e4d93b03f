import type { Arrow, Point, Sized } from "../../graph/layout.ts";

const gap = { x: 72, y: 24 };

/**
 * Arranges the nodes of a very large graph in columns by their longest path from the start. Visits each arrow once; a layout with few
 * crossings would take a minute.
 */
export function rankLayout(nodes: readonly Sized[], arrows: readonly Arrow[]): Map<string, Point> {
  const ranks = ranksOf(nodes, arrows);
  const filled = new Map<number, number>();
  const widest = Math.max(0, ...nodes.map(({ width }) => width));
  const points = new Map<string, Point>();
  for (const { id, height } of nodes) {
    const rank = ranks.get(id) ?? 0;
    const y = filled.get(rank) ?? 0;
    filled.set(rank, y + height + gap.y);
    points.set(id, { x: rank * (widest + gap.x), y });
  }
  return points;
}

function ranksOf(nodes: readonly Sized[], arrows: readonly Arrow[]): Map<string, number> {
  const next = new Map<string, string[]>();
  const open = new Map<string, number>(nodes.map(({ id }) => [id, 0]));
  for (const { from, to } of arrows) {
    if (!open.has(from) || !open.has(to)) continue;
    next.set(from, [...(next.get(from) ?? []), to]);
    open.set(to, (open.get(to) ?? 0) + 1);
  }
  const ranks = new Map<string, number>();
  const queue = nodes.filter(({ id }) => open.get(id) === 0).map(({ id }) => id);
  for (const id of queue) ranks.set(id, 0);
  for (let at = 0; at < queue.length; at++) {
    const id = queue[at] as string;
    for (const to of next.get(id) ?? []) {
      ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(id) ?? 0) + 1));
      open.set(to, (open.get(to) ?? 1) - 1);
      if (open.get(to) === 0) queue.push(to);
    }
  }
  return ranks;
}
