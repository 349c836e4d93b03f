import { defaultPriority } from "@millrace/contract/run/run-control.ts";
import { runCan } from "@millrace/contract/run/run-rules.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { priorityOf } from "../../../core/run/limits/run-limits.ts";
import { joinLineages, type Lineage } from "../../../core/run/lineage.ts";
import type { RunState } from "../../../core/run/run-state.ts";
import { quotaMinutes, quotasInForce } from "../../../core/team/quota.ts";
import type { Plan } from "../../../core/workflow/plan.ts";
import { isNestedName, trialPrefix } from "../../../core/workflow/try-name.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { copyCodehostReport } from "../../../store/integration/codehost-reports.ts";
import type { SignalRow } from "../../../store/run/queue/engine-work.ts";
import { findQueueRank, listRequesters } from "../../../store/run/queue/queued-runs.ts";
import { listDeclaredParams } from "../../../store/run/reruns.ts";
import { deleteSignal } from "../../../store/run/run-events.ts";
import { lockRuns, newIds } from "../../../store/run/run-states.ts";
import { findRun, type RunRow } from "../../../store/run/runs.ts";
import { listProtectedSecrets, type ProtectedSecret } from "../../../store/run/submissions.ts";
import { findTeamLimits } from "../../../store/team/team-limits.ts";
import { isWorkflowArchived } from "../../../store/workflow/archived-workflows.ts";
import { callbackUrl } from "../callbacks.ts";
import { checkMonthlyQuota, checkWaitingQuota, workspacesAgain } from "../limits/check-quotas.ts";
import { type RecordedRun, recordRun } from "../record-run.ts";
import { refuseLoop } from "../refuse-loop.ts";
import type { RunContext } from "../run-context.ts";
import { callbackTopics, type RunSecrets, refuseWithheld, urlSecrets, withheldOf } from "../run-layers.ts";
import { layersWithout, loadRunSecrets, renewContext, renewSecrets, secretsWithout } from "../run-secrets.ts";
import { type Keeping, keepTaskRuns, type Mark, recordOrigins } from "./keep-task-runs.ts";
import { type PreparedRerun, prepareRerun, type RerunOptions, withVersion } from "./prepare-rerun.ts";

/**
 * Runs a run again, as a new run with the same content (workflow version, task versions, parameters), linked to the very first original.
 * `retry` begins at the start. `rerun` reuses tasks that need not run again, with their results (core/run/rerun), and may use another
 * version and other parameters.
 */

export interface RetryInput {
  teamId: string;
  runId: string;
  mode: "retry" | "rerun";
  start: boolean;
  initiatedBy: string | null;
  /** The lineage of the request; absent if it did not come from outside. */
  lineage?: Lineage;
  /** The action on many runs that asks for it. */
  bulkId?: string;
}

export interface RerunInput extends Omit<RetryInput, "mode"> {
  options: RerunOptions;
  /** Digest of the plan that was seen. */
  seen?: string | undefined;
  /** Who marks a task as succeeded, and why. */
  mark?: Mark;
}

/** A request of a user. A rerun of this kind requires a run that did not succeed. */
export async function retryRun(tx: Transaction, context: RunContext, input: RetryInput): Promise<RecordedRun> {
  const original = await lockOriginal(tx, input);
  await refuseUnstarted(tx, original);
  if (input.mode === "retry") return runAgain(tx, context, input, original);
  return rerunOriginal(tx, context, { ...input, options: {} }, original);
}

/** From any task, also of a run that succeeded. @throws CONFLICT if the plan differs from the one that the client saw */
export async function rerunRun(tx: Transaction, context: RunContext, input: RerunInput): Promise<RecordedRun> {
  const original = await lockOriginal(tx, { ...input, mode: "retry" });
  await refuseUnstarted(tx, original);
  return rerunOriginal(tx, context, input, original);
}

async function rerunOriginal(tx: Transaction, context: RunContext, input: RerunInput, original: Original): Promise<RecordedRun> {
  const prepared = await prepareRerun(tx, context, original, input.options);
  if (input.seen !== undefined && input.seen !== prepared.digest)
    throw new AppError("CONFLICT", [`The plan for run ${input.runId} has changed since you read it: read it again`]);
  if (prepared.nodes.every(({ node, decision, why }) => decision === "reused" || why === "handler" || node === prepared.target.plan.end))
    throw new AppError("WORKFLOWRUN_NOTHING_TO_RERUN", [input.runId]);
  const mark = input.mark && { ...input.mark, now: original.now.getTime() };
  const keeping = await keepTaskRuns(tx, original, prepared, mark);
  const run = await runAgain(tx, context, input, original, { prepared, keeping });
  await recordOrigins(tx, original, run, keeping);
  return run;
}

/**
 * A workflow that can't be submitted can't be rerun, either. A trial runs once: otherwise its hidden workflow would have runs that no list
 * shows and no quota counts.
 */
async function refuseUnstarted(tx: Transaction, { row, state: { teamId, workflowId } }: Original): Promise<void> {
  if (isNestedName(row.workflowName))
    throw new AppError("CONFLICT", [`Run ${row.id} is a run of a nested workflow; rerun ${row.parentRunId}, whose task started it`]);
  if (row.workflowName.startsWith(trialPrefix))
    throw new AppError("CONFLICT", [`Run ${row.id} is a trial, which runs once; try the workflow another time`]);
  if (await isWorkflowArchived(tx, teamId, workflowId)) throw new AppError("WORKFLOW_ARCHIVED", [row.workflowName]);
}

interface Rerun {
  prepared: PreparedRerun;
  keeping: Keeping;
}

async function runAgain(
  tx: Transaction,
  context: RunContext,
  input: Omit<RetryInput, "mode"> & { isAutomatic?: boolean },
  original: Original,
  rerun?: Rerun,
): Promise<RecordedRun> {
  const plan = rerun?.prepared.target.plan ?? (await context.plans.load(tx, original.state));
  const { workflowName: name } = original.row;
  const { workflowId: id } = original.state;
  if (input.lineage?.length) await refuseLoop(tx, { teamId: input.teamId, workflow: { id, name }, lineage: input.lineage });
  const withheld = input.isAutomatic ? [] : await withheldFrom(tx, context, original, plan, rerun?.prepared.target);
  const limits = await findTeamLimits(tx, input.teamId);
  if (limits.status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [limits.name]);
  const settings = await context.settings.load(tx);
  const quotas = quotasInForce(limits, settings);
  const monthly = { teamId: input.teamId, teamName: limits.name, max: quotas.maxWorkflowRunMonthly };
  const isMonthlyTight = await checkMonthlyQuota(tx, context, monthly, original.now);
  await checkWaitingQuota(tx, context, { ...monthly, max: quotas.maxWaitingRuns }, original.now);
  const ids = await newIds(tx, plan.nodes.length + 1);
  await copyCodehostReport(tx, input.teamId, input.runId, ids[0] as string);
  const again = contentAgain(
    original,
    { runId: ids[0] as string, initiatedBy: input.initiatedBy, publicUrl: context.publicUrl },
    rerun?.prepared,
  );
  const secrets = await secretsAgain(tx, context, input, { newId: ids[0] as string, rerun: rerun?.prepared });
  return recordRun(tx, context, {
    plan,
    ids,
    now: original.now,
    content: {
      ...again,
      layers: layersWithout(again.layers, withheld),
      lineage: joinLineages(original.state.lineage, input.lineage ?? []),
      maxActiveMinutes: quotaMinutes(quotas.maxWorkflowRunDuration),
      defaultImage: settings.task.defaultImage || null,
      maxTaskTimeoutMinutes: settings.task.maxTimeoutMinutes,
    },
    ...describeAgain(original.row, rerun?.prepared, howLabels(input)),
    secrets: secretsWithout(secrets, withheld),
    workspaces: workspacesAgain(original.row.workspaces, { teamName: limits.name, quotas, storage: settings.storage }),
    initiatedBy: input.initiatedBy,
    amendedBy: await listRequesters(tx, input.teamId, input.runId),
    priority: await priorityAgain(tx, context, original, plan),
    start: input.start
      ? { teamName: limits.name, maxConcurrent: quotas.maxConcurrentRuns, isChild: false, otherwise: "refused" }
      : undefined,
    monthly: isMonthlyTight ? monthly : undefined,
    ...(rerun && { prepare: rerun.keeping.prepare }),
  });
}

/** A run with a lowered priority keeps it. @returns undefined for the priority of its workflow */
async function priorityAgain(tx: Transaction, context: RunContext, { row, state }: Original, plan: Plan): Promise<number | undefined> {
  const before = (await context.plans.load(tx, state)).control?.priority ?? defaultPriority;
  const asked = priorityOf(row.id, await findQueueRank(tx, state.teamId, row.id));
  return asked < before ? Math.min(asked, plan.control?.priority ?? defaultPriority) : undefined;
}

/**
 * Protected secrets that the run had and must not get again.
 * @throws SECRET_PROTECTED if the workflow uses one, in the version that ran or in the one that is to run
 */
async function withheldFrom(
  tx: Transaction,
  context: RunContext,
  { row, state }: Original,
  plan: Plan,
  target: PreparedRerun["target"] | undefined,
): Promise<ProtectedSecret[]> {
  const { teamId } = state;
  const { workflowVersionId, version } = target ?? { ...state, version: row.workflowVersion };
  const withheld = withheldOf(await listProtectedSecrets(tx, teamId, workflowVersionId));
  if (withheld.length === 0) return [];
  const of = { workflowName: row.workflowName, version };
  refuseWithheld(withheld, { ...of, plan, params: await listDeclaredParams(tx, teamId, workflowVersionId) });
  // Values that the version of the run computed from a secret are in its parameters.
  if (target?.isOther)
    refuseWithheld(withheld, {
      ...of,
      subject: `A rerun with version ${version} takes over parameters of run ${row.id}, which`,
      plan: await context.plans.load(tx, state),
      params: await listDeclaredParams(tx, teamId, state.workflowVersionId),
    });
  return withheld;
}

/** The automatic retry of a run that failed or timed out. The signal is deleted with it, so it happens once. */
export async function retryRunBySignal(tx: Transaction, context: RunContext, signal: SignalRow): Promise<void> {
  if (!(await deleteSignal(tx, signal.teamId, signal.id))) return;
  const row: RunRow | undefined = await findRun(tx, signal.teamId, signal.runId);
  if (!row) return;
  const { teamId, runId } = signal;
  const input: RetryInput = { teamId, runId, mode: "retry", start: false, initiatedBy: row.initiatedBy };
  // It belongs to the original submission, which was allowed.
  await runAgain(tx, context, { ...input, isAutomatic: true }, await lockOriginal(tx, input));
}

interface Original {
  row: RunRow;
  state: RunState;
  /** The database's time. */
  now: Date;
}

/** @throws WORKFLOWRUN_INVALID_REFERENCE, and WORKFLOWRUN_INVALID_PHASE if it can't be run again in this way */
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

/** Everything but the context stays the same. No parent waits for the new run, even if one waited for the old one. */
function contentAgain(
  { row, state }: Original,
  now: { runId: string; initiatedBy: string | null; publicUrl: string },
  rerun: PreparedRerun | undefined,
) {
  const { target, layers } = rerun ?? {};
  const masked = layers?.masked ?? state.layers;
  const own = target?.isOther ? withVersion(masked, target) : masked;
  const { workflowVersionId, taskVersionIds, timeoutMinutes, retries } = target ?? state;
  return {
    ...state,
    ...{ workflowVersionId, taskVersionIds, timeoutMinutes, retries },
    layers: { ...own, context: renewContext(own.context, now.runId, now.initiatedBy, now.publicUrl) },
    retryCount: row.retryCount + 1,
    parent: state.parentRunId ? { runId: state.parentRunId, taskRunId: null, depth: state.depth } : undefined,
  };
}

const bulkLabel = "millrace.dev/bulk";
const automaticLabel = "millrace.dev/retry";

/**
 * Who started a run does not say that it was one of many, or that nobody asked for it: an automatic retry has the initiator of its
 * original.
 */
function howLabels({ bulkId, isAutomatic }: { bulkId?: string; isAutomatic?: boolean }): Record<string, string> {
  return { ...(bulkId !== undefined && { [bulkLabel]: bulkId }), ...(isAutomatic && { [automaticLabel]: "automatic" }) };
}

function describeAgain(row: RunRow, rerun: PreparedRerun | undefined, how: Record<string, string>) {
  const { workflowName, workflowDisplayName, annotations, debug } = row;
  const retryOf = row.retryOf ?? row.id;
  const { [bulkLabel]: _bulk, [automaticLabel]: _automatic, ...own } = row.labels;
  const labels = { ...own, "millrace.dev/retry-of": retryOf, ...how };
  const params = rerun?.layers.params ?? (row.params as { name: string; value: unknown }[]);
  const workflowVersion = rerun?.target.version ?? row.workflowVersion;
  return { workflowName, workflowDisplayName, workflowVersion, annotations, debug, retryOf, labels, params };
}

async function secretsAgain(
  tx: Transaction,
  context: RunContext,
  { teamId, runId }: Pick<RetryInput, "teamId" | "runId">,
  { newId, rerun }: { newId: string; rerun: PreparedRerun | undefined },
): Promise<RunSecrets> {
  const urlFor = (topic: string) => callbackUrl(context, newId, topic);
  if (!rerun) return renewSecrets((await loadRunSecrets(tx, context.keyring, teamId, runId)) ?? {}, urlFor);
  const { context: _, ...secrets } = rerun.layers.secrets;
  return { ...secrets, ...urlSecrets(Object.fromEntries(callbackTopics(rerun.target.plan).map((topic) => [topic, urlFor(topic)]))) };
}
