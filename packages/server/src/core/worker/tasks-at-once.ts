import type { RunChange } from "../run/run-change.ts";
import type { RunNeed } from "../task/place-task.ts";
import { nodePlacing } from "../workflow/node-placing.ts";
import { nodeAt, type Plan } from "../workflow/plan.ts";

/** What the worker asks for that reports ends of attempts. */
interface NextTasks {
  /** How many it takes of one team. */
  most: number;
  needs: readonly RunNeed[];
  /** Undefined: its tasks ask for none. */
  labels?: readonly string[];
}

/**
 * Ids of the task runs that a worker may begin with at once, since it has ended what they waited for: they need not be ready for a moment first. It
 * gets all that the changes make ready, or none, so that nothing of it has to be looked for, noted or announced. Whether something else waits that
 * has its turn first is decided where the changes are written (store/functions/claim-task-runs.sql).
 */
export function tasksAtOnce(
  changes: readonly { plan: Plan; change: RunChange }[],
  { most, needs, labels }: NextTasks,
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { plan, change } of changes) {
    if (change.after.activity === "wanted" || change.created.some(({ status }) => status === "ready")) return none;
    for (const { after } of change.updated) {
      if (after.status !== "ready") continue;
      if (after.executor === null || !needs.includes(after.executor)) return none;
      if (labels && !nodePlacing(nodeAt(plan, after.node)).runsOn.every((label) => labels.includes(label))) return none;
      ids.add(after.id);
    }
  }
  return ids.size > most ? none : ids;
}

const none: ReadonlySet<string> = new Set();
