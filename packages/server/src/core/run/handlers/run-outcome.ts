import type { FinalStatus } from "@millrace/contract/status.ts";
import { outcomeOfFlow, type RunOutcome } from "../consider-node.ts";
import type { RunResult } from "../run-state.ts";
import type { TransitionBuilder } from "../transition-builder.ts";

/**
 * While the handlers of a run are running, the reason and the message of its flow stand in its row, and the whole is a result of its
 * end, which handlers refer to as `$(run.status)` and so on.
 */

/** Why a run is cancelled: a user or the service cancelled it, a newer run replaced it, or no slot was free and it may not wait. */
export const cancelReasons = ["Cancelled", "Superseded", "Skipped"] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** Reasons that the row of a stopped run has while its handlers run. */
const stopped: Readonly<Record<string, RunOutcome["status"]>> = {
  ...Object.fromEntries(cancelReasons.map((reason) => [reason, "cancelled"] as const)),
  DeadlineExceeded: "timedout",
};

/** The outcome of a run whose flow has ended: either it was stopped, or it reached its end. */
export function outcomeOf(draft: TransitionBuilder): RunOutcome {
  const { reason, statusMessage: message } = draft.run;
  const status = reason === null ? undefined : stopped[reason];
  return status === undefined ? outcomeOfFlow(draft) : { status, reason, message };
}

/** The outcome as results of the run's end node, for handlers to refer to. */
export function outcomeResults(draft: TransitionBuilder, outcome: RunOutcome, notUndone: readonly string[]): RunResult[] {
  const { plan, run } = draft;
  const over = plan.nodes.filter(({ index, type }) => type !== "start" && type !== "end" && draft.task(index).endedAt !== null);
  const tasks = over.map(({ index, name }) => [name, shownEnd(draft.task(index))]);
  return [
    { name: "status", value: outcome.status satisfies FinalStatus },
    { name: "reason", value: outcome.reason ?? "" },
    { name: "message", value: outcome.message ?? run.statusMessage ?? "" },
    { name: "tasks", value: Object.fromEntries(tasks) as Record<string, unknown> },
    { name: "notUndone", value: [...notUndone] },
  ];
}

function shownEnd({ status, reason }: { status: string; reason: string | null }) {
  return { status, reason: reason ?? "" };
}
