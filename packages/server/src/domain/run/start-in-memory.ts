import { advance } from "../../core/run/advance.ts";
import { noFacts } from "../../core/run/facts.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { TaskTypes } from "../../core/task/task-type.ts";
import type { Plan } from "../../core/workflow/plan.ts";

/**
 * Starts a run that is not in the database yet. Undefined when the start needs a fact of the database, opens an action or gives
 * a lock back: then it must happen on real rows.
 *
 * @param hasPlace whether its tasks may go to workers at once
 * @param now epoch milliseconds of the database
 */
export function startInMemory(plan: Plan, state: RunState, types: TaskTypes, hasPlace: boolean, now: number): RunState | undefined {
  const facts = noFacts();
  const { change } = advance(plan, state, [{ kind: "start", hasPlace }], facts, types, now);
  if (!change || change.actions.length > 0 || change.signals.length > 0 || change.attempts.length > 0) return undefined;
  if (change.releasedLocks !== "all" && change.releasedLocks.length > 0) return undefined;
  return change.after;
}
