import { isExecutorType } from "@millrace/contract/status.ts";
import type { Plan } from "../workflow/plan.ts";
import { pathNotTaken } from "./consider-node.ts";
import type { TaskState } from "./run-state.ts";

/**
 * Which task runs a rerun keeps, by node index: those that succeeded, or were skipped because no path led to them, and whose dependencies
 * are all kept. What was skipped with its run (cancelled, timed out, never started) has not been decided and runs now. What comes after
 * a task that runs again runs again too, handlers of its failure included.
 *
 * @param hasWorkspace its tasks share a workspace that belongs to the run alone. The new run begins with an empty one, so if any
 *   task is to run on a worker, all such tasks run again: it could need their files.
 */
export function isKept(plan: Plan, tasks: readonly TaskState[], hasWorkspace: boolean): boolean[] {
  const kept = whatEnded(plan, tasks, () => true);
  const needsFiles = hasWorkspace && plan.nodes.some(({ index, type }) => !kept[index] && isExecutorType(type));
  return needsFiles ? whatEnded(plan, tasks, ({ type, status }) => !isExecutorType(type) || status === "skipped") : kept;
}

function whatEnded(plan: Plan, tasks: readonly TaskState[], mayKeep: (task: TaskState) => boolean): boolean[] {
  const kept = plan.nodes.map(() => false);
  const open = plan.nodes.map((node) => node.incoming.length);
  const queue = [plan.start];
  for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
    const node = plan.nodes[index];
    const task = tasks[index];
    if (!node || !task || node.type === "end" || !hasReallyEnded(task) || !mayKeep(task)) continue;
    kept[index] = true;
    for (const edge of node.outgoing) {
      open[edge.to] = (open[edge.to] ?? 0) - 1;
      if (open[edge.to] === 0) queue.push(edge.to);
    }
  }
  return kept;
}

function hasReallyEnded({ status, reason }: TaskState): boolean {
  return status === "succeeded" || (status === "skipped" && reason === pathNotTaken);
}
