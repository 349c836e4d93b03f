import { AppError } from "../../../base/error/app-error.ts";
import { limitsOf, queueRankOf, rankOf } from "../../../core/run/limits/run-limits.ts";
import type { Layers, RunState } from "../../../core/run/run-state.ts";
import type { RunControl } from "../../../core/workflow/run-control.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { listSlotWaits, requestSlot } from "../../../store/run/limits/run-slots.ts";

/** A run that is about to be recorded, of a workflow that limits or prioritizes its runs. */
interface LimitedRun {
  teamId: string;
  workflowId: string;
  id: string;
  layers: Layers;
  /** From the submission; undefined: that of the workflow. */
  priority: number | undefined;
  /** It must start now, or is refused. */
  mustStart: boolean;
}

export interface SlotGrant {
  heldFor: RunState["heldFor"];
  slotKey: string | undefined;
  queueRank: string | undefined;
  /** Why it does not run at all. */
  skipped: string | undefined;
}

/**
 * Requests the slots that a run needs, in the transaction that records it, so that a slot never belongs to a run that doesn't exist.
 *
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT for a key or a priority, WORKFLOWRUN_LIMIT_REACHED when it must start and has to wait
 */
export async function requestSlots(tx: Transaction, run: LimitedRun, control: RunControl): Promise<SlotGrant> {
  const priority = run.priority ?? control.priority;
  const rank = rankOf(run.id, priority);
  const queueRank = queueRankOf(run.id, priority);
  const limits = limitsOf(control, run.layers, rank);
  if (!limits) return { heldFor: null, slotKey: undefined, queueRank, skipped: undefined };
  const answer = await requestSlot(tx, run, { ...limits, must_start: run.mustStart });
  const slotKey = limits.key ?? undefined;
  if (answer.state === "skipped") return { heldFor: null, slotKey: undefined, queueRank, skipped: answer.message };
  if (answer.state === "free") return { heldFor: null, slotKey, queueRank, skipped: undefined };
  if (run.mustStart) throw await limitReached(tx, run);
  return { heldFor: answer.state, slotKey, queueRank, skipped: undefined };
}

/** @throws WORKFLOWRUN_INVALID_REQUIREMENT: a submission may lower its priority below that of its workflow, not raise it */
export function refusePriority(asked: number, own: number): void {
  if (asked <= own) return;
  throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [
    `priority is ${asked}, and that of the workflow is ${own}; leave it out, give at most ${own}, or raise it in the workflow`,
  ]);
}

/** What the run waits for, as an error. */
export async function limitReached(tx: Transaction, run: { teamId: string; id: string }): Promise<AppError> {
  const waits = await listSlotWaits(tx, run.teamId, [run.id]);
  return new AppError("WORKFLOWRUN_LIMIT_REACHED", [waits.get(run.id) ?? "Waiting for a limit of its workflow"]);
}
