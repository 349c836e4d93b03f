import type { Plan } from "./plan.ts";
import type { TaskState } from "./run-state.ts";

/**
 * Which task runs a rerun keeps, by node index: those that succeeded or were skipped, and whose dependencies are all kept. What comes
 * after a task that is done again is done again too, handlers of its failure included.
 */
export function isKept(plan: Plan, tasks: readonly TaskState[]): boolean[] {
  const kept = plan.nodes.map(() => false);
  const open = plan.nodes.map((node) => node.incoming.length);
  const queue = [plan.start];
  for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
    const node = plan.nodes[index];
    const status = tasks[index]?.status;
    if (!node || node.type === "end" || (status !== "succeeded" && status !== "skipped")) continue;
    kept[index] = true;
    for (const edge of node.outgoing) {
      open[edge.to] = (open[edge.to] ?? 0) - 1;
      if (open[edge.to] === 0) queue.push(edge.to);
    }
  }
  return kept;
}
