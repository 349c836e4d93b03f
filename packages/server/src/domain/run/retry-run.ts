import { runCan } from "@millrace/contract/run-rules.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import { joinLineages, type Lineage } from "../../core/run/lineage.ts";
import { isKept } from "../../core/run/rerun.ts";
import type { RunState } from "../../core/run/run-state.ts";
import { quotasInForce } from "../../core/settings/instance-settings.ts";
import { quotaMinutes } from "../../core/team/quota.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import { trialPrefix } from "../../core/workflow/try-name.ts";
import { workspaceType } from "../../core/workflow/workflow-document-checks.ts";
import type { Transaction } from "../../store/database/database.ts";
import { copyCodehostReport } from "../../store/integration/codehost-reports.ts";
import type { SignalRow } from "../../store/run/engine-work.ts";
import { listRequesters } from "../../store/run/queued-runs.ts";
import { deleteSignal } from "../../store/run/run-events.ts";
import { lockRuns, newIds } from "../../store/run/run-states.ts";
import { findRun, findRunSecrets, type RunRow } from "../../store/run/runs.ts";
import { findTeamLimits } from "../../store/run/submissions.ts";
import { findKeptValues } from "../../store/run/task-runs.ts";
import { isWorkflowArchived } from "../../store/workflow/archived-workflows.ts";
import { callbackUrl } from "./callbacks.ts";
import { checkMonthlyQuota, checkWaitingQuota } from "./check-quotas.ts";
import { type RecordedRun, recordRun } from "./record-run.ts";
import { refuseLoop } from "./refuse-loop.ts";
import type { RunContext } from "./run-context.ts";
import { type RunSecrets, renewContext, renewSecrets } from "./run-layers.ts";
import { openRunSecrets } from "./run-secrets.ts";
import { workspacesAgain } from "./run-workspaces.ts";

/**
 * Runs a run again, as a new run with the same content (workflow version, task versions, parameters), linked to the very first
 * original. `retry` begins at the start. `rerun` keeps what succeeded before the first failure on each path, with its results,
 * and goes on from there (core/run/rerun.ts).
 */

export interface RetryInput {
  teamId: string;
  runId: string;
  mode: "retry" | "rerun";
  start: boolean;
  initiatedBy: string | null;
  /** Of what asks for it; absent: nobody from outside. */
  lineage?: Lineage;
}

/** What people ask for. */
export async function retryRun(tx: Transaction, context: RunContext, input: RetryInput): Promise<RecordedRun> {
  const original = await lockOriginal(tx, input);
  await refuseUnstarted(tx, original);
  return runAgain(tx, context, input, original);
}

/**
 * What can't be submitted is not run again, either. A trial runs once: otherwise its workflow would be one that no list shows, and whose
 * runs no quota counts.
 */
async function refuseUnstarted(tx: Transaction, { row, state: { teamId, workflowId } }: Original): Promise<void> {
  if (row.workflowName.startsWith(trialPrefix))
    throw new AppError("CONFLICT", [`Run ${row.id} is a trial, which runs once; try the workflow another time`]);
  if (await isWorkflowArchived(tx, teamId, workflowId)) throw new AppError("WORKFLOW_ARCHIVED", [row.workflowName]);
}

async function runAgain(tx: Transaction, context: RunContext, input: RetryInput, original: Original): Promise<RecordedRun> {
  const plan = await context.plans.load(tx, original.state);
  const { workflowName: name } = original.row;
  const { workflowId: id } = original.state;
  if (input.lineage?.length) await refuseLoop(tx, { teamId: input.teamId, workflow: { id, name }, lineage: input.lineage });
  const limits = await findTeamLimits(tx, input.teamId);
  if (limits.status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [limits.name]);
  const settings = await context.settings.load(tx);
  const quotas = quotasInForce(limits, settings);
  const monthly = { teamId: input.teamId, teamName: limits.name, max: quotas.maxWorkflowRunMonthly };
  const isMonthlyTight = await checkMonthlyQuota(tx, context.monthlyCapacity, monthly, original.now);
  await checkWaitingQuota(tx, context.waitingCapacity, { ...monthly, max: quotas.maxWaitingRuns }, original.now);
  const ids = await newIds(tx, plan.nodes.length + 1);
  await copyCodehostReport(tx, input.teamId, input.runId, ids[0] as string);
  return recordRun(tx, context, {
    plan,
    ids,
    now: original.now,
    content: {
      ...contentAgain(original, { runId: ids[0] as string, initiatedBy: input.initiatedBy, publicUrl: context.publicUrl }),
      lineage: joinLineages(original.state.lineage, input.lineage ?? []),
      maxActiveMinutes: quotaMinutes(quotas.maxWorkflowRunDuration),
      defaultImage: settings.task.defaultImage || null,
      maxTaskTimeoutMinutes: settings.task.maxTimeoutMinutes,
    },
    ...describeAgain(original.row),
    secrets: renewSecrets(await openSecrets(tx, context, input), (topic) => callbackUrl(context, ids[0] as string, topic)),
    workspaces: workspacesAgain(original.row.workspaces, { teamName: limits.name, quotas, storage: settings.storage }),
    initiatedBy: input.initiatedBy,
    amendedBy: await listRequesters(tx, input.teamId, input.runId),
    start: input.start
      ? { teamName: limits.name, maxConcurrent: quotas.maxConcurrentRuns, isChild: false, otherwise: "refused" }
      : undefined,
    monthly: isMonthlyTight ? monthly : undefined,
    prepare: input.mode === "rerun" ? await keepTaskRuns(tx, plan, original) : undefined,
  });
}

/** The automatic retry of a run that failed or timed out. The signal goes with it, so it happens once. */
export async function retryRunBySignal(tx: Transaction, context: RunContext, signal: SignalRow): Promise<void> {
  if (!(await deleteSignal(tx, signal.teamId, signal.id))) return;
  const row: RunRow | undefined = await findRun(tx, signal.teamId, signal.runId);
  if (!row) return;
  const { teamId, runId } = signal;
  const input: RetryInput = { teamId, runId, mode: "retry", start: false, initiatedBy: row.initiatedBy };
  await runAgain(tx, context, input, await lockOriginal(tx, input));
}

interface Original {
  row: RunRow;
  state: RunState;
  /** The database's time. */
  now: Date;
}

/** @throws WORKFLOWRUN_INVALID_REFERENCE, and WORKFLOWRUN_INVALID_PHASE when it can't be run again in this way */
async function lockOriginal(tx: Transaction, { teamId, runId, mode }: RetryInput): Promise<Original> {
  const row = await findRun(tx, teamId, runId);
  const { states, now } = await lockRuns(tx, [{ teamId, id: runId }]);
  const [state] = states;
  if (!row || !state) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [runId]);
  if (!isFinal(state.status)) throw new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, state.status, "finished (completed or finalized)"]);
  if (mode === "rerun" && !runCan.rerunFailed(row))
    throw new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, row.status, "finished without success"]);
  return { row, state, now: new Date(now) };
}

/** Everything but the context is what it was; a run that another one waited for is nobody's to wait for any more. */
function contentAgain({ row, state }: Original, now: { runId: string; initiatedBy: string | null; publicUrl: string }) {
  return {
    ...state,
    layers: { ...state.layers, context: renewContext(state.layers.context, now.runId, now.initiatedBy, now.publicUrl) },
    retryCount: row.retryCount + 1,
    parent: state.parentRunId ? { runId: state.parentRunId, taskRunId: null, depth: state.depth } : undefined,
  };
}

function describeAgain(row: RunRow) {
  const { workflowName, workflowDisplayName, workflowVersion, annotations, debug } = row;
  const retryOf = row.retryOf ?? row.id;
  const labels = { ...row.labels, "millrace.dev/retry-of": retryOf };
  const params = row.params as { name: string; value: unknown }[];
  return { workflowName, workflowDisplayName, workflowVersion, annotations, debug, retryOf, labels, params };
}

async function openSecrets(tx: Transaction, { keyring }: RunContext, { teamId, runId }: RetryInput): Promise<RunSecrets> {
  const envelope = await findRunSecrets(tx, teamId, runId);
  return envelope ? openRunSecrets(keyring, teamId, runId, envelope) : {};
}

/**
 * @returns what puts the task runs that are kept, with their results, into the fresh state
 * @throws WORKFLOWRUN_NOTHING_TO_RERUN when that is all of them
 */
async function keepTaskRuns(tx: Transaction, plan: Plan, { row, state: original }: Original): Promise<(state: RunState) => void> {
  const hasWorkspace = row.workspaces.some((workspace) => workspaceType(workspace) === "workflowrun");
  const kept = isKept(plan, original.nodes, hasWorkspace);
  if (plan.nodes.every((node) => kept[node.index] || node.index === plan.end))
    throw new AppError("WORKFLOWRUN_NOTHING_TO_RERUN", [original.id]);
  const keptTasks = original.nodes.filter((task) => kept[task.node]);
  const ids = keptTasks.map((task) => task.id);
  const values = await findKeptValues(tx, original.teamId, ids);
  return (state) => {
    for (const task of keptTasks) {
      const fresh = state.nodes[task.node];
      if (fresh) state.nodes[task.node] = { ...task, ...values.get(task.id), id: fresh.id };
      if (fresh) state.warningCount += values.get(task.id)?.warnings.length ?? 0;
    }
  };
}
