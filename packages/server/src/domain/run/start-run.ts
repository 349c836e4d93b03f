import type { WorkflowRunRequest } from "@millrace/contract/run.ts";
import { runCan } from "@millrace/contract/run-rules.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import { quotasInForce } from "../../core/settings/instance-settings.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { RunRow } from "../../store/run/runs.ts";
import { countActiveLocked, findTeamLimits } from "../../store/run/submissions.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import { advanceRuns } from "./advance-runs.ts";
import { amendRun } from "./amend-run.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Starts a run that waits in the queue, ahead of those before it, with what the request adds to it. The team is locked before the
 * run, as the engine does when it starts queued runs, so the two never wait for each other.
 *
 * @throws WORKFLOWRUN_INVALID_PHASE when it does not wait (any more), QUOTA_EXCEEDED when it needs a place and the team has none,
 *   WORKFLOW_TEAM_INACTIVE
 */
export async function startRun(
  tx: Transaction,
  context: RunContext,
  teamId: string,
  run: RunRow,
  request: WorkflowRunRequest,
): Promise<RunChange> {
  if (!runCan.start(run)) throw notQueued(run.id, run.status);
  const limits = await findTeamLimits(tx, teamId);
  if (limits.status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [limits.name]);
  const settings = await context.settings.load(tx);
  const quotas = quotasInForce(limits, settings);
  const active = await countActiveLocked(tx, teamId);
  await amendRun(tx, context, teamId, run, request, { teamName: limits.name, quotas, storage: settings.storage });
  const [change] = await advanceRuns(tx, context, [
    { teamId, id: run.id, events: [{ kind: "start", hasPlace: active < quotas.maxConcurrentRuns }] },
  ]);
  if (!change) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [run.id]);
  if (!runCan.start(change.before)) throw notQueued(run.id, change.before.status);
  if (change.after.activity === "wanted")
    throw quotaExceeded("maxConcurrentRuns", { team: limits.name, used: active, max: quotas.maxConcurrentRuns, retryAfterSeconds: 1 });
  return change;
}

function notQueued(runId: string, status: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, status, "in the queue (phase pending or queued)"]);
}
