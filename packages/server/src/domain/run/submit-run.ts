import type { RunParam } from "@millrace/contract/common.ts";
import type { WorkflowSubmitRequest } from "@millrace/contract/run/run.ts";
import { defaultPriority } from "@millrace/contract/run/run-control.ts";
import type { TriggerKind } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import { deadlineFaults } from "../../core/alert/deadline.ts";
import { type InboundEvent, unmetCondition } from "../../core/inbound/trigger-conditions.ts";
import { checkParamValues } from "../../core/parameter/parameters-check.ts";
import { batchEntry } from "../../core/run/limits/batch-entry.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import type { RunContent } from "../../core/run/run-state.ts";
import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import { type Quotas, quotaMinutes, quotasInForce } from "../../core/team/quota.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { RunControl } from "../../core/workflow/run-control.ts";
import { trialPrefix } from "../../core/workflow/try-name.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { AnswerToKeep } from "../../store/database/idempotency.ts";
import { inTransaction } from "../../store/database/transaction.ts";
import type { RunRow } from "../../store/run/runs.ts";
import type { Submission } from "../../store/run/submissions.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { callbackUrl } from "./callbacks.ts";
import { checkMonthlyQuota, checkWaitingQuota, type MonthlyQuota, runWorkspaces } from "./limits/check-quotas.ts";
import { collectEvent, type EventOfRun } from "./limits/collect-event.ts";
import { refusePriority } from "./limits/request-slots.ts";
import { type RecordedRun, type RunRecord, recordRun } from "./record-run.ts";
import { refuseLoop } from "./refuse-loop.ts";
import type { RunContext } from "./run-context.ts";
import {
  buildLayers,
  callbackTopics,
  contextLayer,
  openGivenParams,
  openWorkflowParams,
  type RunLayers,
  refuseWithheld,
  withheldOf,
} from "./run-layers.ts";

/**
 * Submits a run: checks that the workflow may run now, takes a snapshot of its parameters, and records the run with all its task runs. With
 * `start` the run starts in the same transaction, or is refused if it needs a slot at once and the team has none; a run that consists of
 * the engine's own tasks may even be finished when this returns. Without `start`, the response says queued, and the run starts in the same
 * way if nothing waits before it. With the pool as `db` most submissions are one read and one write without a transaction; with the handle
 * of a transaction everything happens in that one.
 */

export interface SubmitInput {
  teamId: string;
  /** Name or id of the workflow. */
  workflow: string;
  request: WorkflowSubmitRequest;
  start: boolean;
  /** It is an event that may share a run with others, if its workflow collects them (limits/collect-event.ts). */
  isEvent?: boolean;
  /** The requesting principal or program; recorded as initiator. */
  initiatedBy: string | null;
  /** Set by the engine's own calls; otherwise the request's trigger is checked. */
  trigger?: TriggerKind;
  /** The inbound event: the conditions of the request's trigger must hold for it. */
  arrived?: InboundEvent;
  /** taskRunId: the task run that waits for this run, which then starts without a slot. */
  parent?: { runId: string; taskRunId: string | null; depth: number };
  /** The workflows that led to it; absent: none. */
  lineage?: Lineage;
  /** The parent in a trace, as the caller sent it, validated (base/trace/trace-context.ts). */
  traceparent?: string | undefined;
  /** It comes from outside with that lineage, so it may be a loop, which is refused. */
  refusesLoops?: boolean;
  /** Names of the parameters that contain secrets although the workflow does not declare them as secret. */
  secretParams?: ReadonlySet<string>;
  /** It is a trial of that workflow, whose names its context parameters show. */
  trialOf?: { name: string; displayName: string };
  /** It is a nested workflow: the context parameters of the run that contains it. */
  nestedIn?: Readonly<Record<string, unknown>>;
  /** The audit record of the submission, written with the run. */
  audit?: (runId: string) => AuditRecord;
  /** A response to store with the run, for a repetition of the request. */
  keep?: ((row: RunRow) => AnswerToKeep) | undefined;
}

export async function submitRun(db: Queryable, context: RunContext, input: SubmitInput): Promise<RecordedRun> {
  const prepared = await prepareRun(db, context, input);
  const { control } = prepared.plan;
  const newRunId = prepared.submission.ids[0] as string;
  if (!control || !isCollected(control, input)) {
    const record = recordOf(context, input, prepared, newRunId);
    return recordRun(db, context, { ...record, monthly: await checkQuotas(db, context, prepared) });
  }
  return inTransaction(db, (tx) =>
    collectEvent(tx, context, newRunId, {
      control,
      entry: batchEntry(input.request.params ?? [], prepared.submission.params ?? [], input.secretParams),
      recordFor: (runId) => recordOf(context, input, prepared, runId),
      checkQuotas: () => checkQuotas(tx, context, prepared),
    }),
  );
}

/** What is known after the submission was checked. */
interface PreparedRun {
  submission: Submission;
  settings: InstanceSettings;
  trigger: TriggerKind;
  plan: Plan;
  quotas: Quotas;
}

async function prepareRun(db: Queryable, context: RunContext, input: SubmitInput): Promise<PreparedRun> {
  const { teamId, workflow: ref, request } = input;
  const submission = await context.batches.find(db, { teamId, ref, version: request.workflowVersion ?? undefined });
  if (!submission) throw new AppError("WORKFLOW_INVALID_REFERENCE", [input.workflow]);
  checkSubmission(submission, input);
  if (input.request.annotations) refuseFaults(deadlineFaults(input.request.annotations));
  await checkLineage(db, submission, input);
  const settings = await context.settings.load(db);
  const trigger = input.trigger ?? input.request.trigger ?? "engine";
  const plan = await context.plans.load(db, { ...submission, workflowVersionId: submission.workflowVersionId as string });
  refuseWithheldSecrets(submission, plan);
  const { priority } = input.request;
  if (priority != null) refusePriority(priority, plan.control?.priority ?? defaultPriority);
  return { submission, settings, trigger, plan, quotas: quotasInForce(submission, settings) };
}

function refuseWithheldSecrets({ workflowName, version, params, protectedSecrets }: Submission, plan: Plan): void {
  refuseWithheld(withheldOf(protectedSecrets), { workflowName, version: version as number, plan, params });
}

/** @returns undefined unless the monthly quota must be counted where the run is recorded */
async function checkQuotas(db: Queryable, context: RunContext, { submission, quotas }: PreparedRun): Promise<MonthlyQuota | undefined> {
  const { teamId, teamName, now } = submission;
  const monthly = { teamId, teamName, max: quotas.maxWorkflowRunMonthly };
  const isMonthlyTight = await checkMonthlyQuota(db, context, monthly, now);
  await checkWaitingQuota(db, context, { ...monthly, max: quotas.maxWaitingRuns }, now);
  return isMonthlyTight ? monthly : undefined;
}

function isCollected(control: RunControl, { isEvent, start }: SubmitInput): control is EventOfRun["control"] {
  return control.collect !== undefined && isEvent === true && !start;
}

function recordOf(context: RunContext, input: SubmitInput, prepared: PreparedRun, runId: string): RunRecord {
  const { submission, settings, trigger, plan, quotas } = prepared;
  const layers = snapshotLayers(context, submission, input, settings, { plan, runId, trigger });
  const { ids, now, workflowName, workflowDisplayName, teamName } = submission;
  return {
    plan,
    ids: [runId, ...ids.slice(1)],
    now,
    workflowName,
    workflowDisplayName,
    content: contentOf(submission, input, { trigger, layers, quotas, settings }),
    start: startOf(context, input, submission, quotas.maxConcurrentRuns),
    monthly: undefined,
    workflowVersion: submission.version as number,
    labels: { ...submission.workflowLabels, ...input.request.labels },
    annotations: input.request.annotations ?? {},
    params: layers.params,
    secrets: layers.secrets,
    workspaces: runWorkspaces(submission.workspaces ?? [], input.request.workspaces ?? [], { teamName, quotas, storage: settings.storage }),
    initiatedBy: input.initiatedBy,
    retryOf: null,
    debug: input.request.debug ?? settings.task.isDebug,
    priority: input.request.priority ?? undefined,
    audit: input.audit,
    keep: input.keep,
  };
}

function contentOf(
  submission: Submission,
  { request, parent, lineage = [], traceparent }: SubmitInput,
  found: { trigger: TriggerKind; layers: RunLayers; quotas: Quotas; settings: InstanceSettings },
): RunContent {
  const { trigger, layers, quotas, settings } = found;
  return {
    teamId: submission.teamId,
    workflowId: submission.workflowId,
    workflowVersionId: submission.workflowVersionId as string,
    taskVersionIds: submission.taskVersionIds,
    trigger,
    layers: layers.masked,
    timeoutMinutes: request.timeout || submission.timeoutMinutes || null,
    maxActiveMinutes: quotaMinutes(quotas.maxWorkflowRunDuration),
    defaultImage: settings.task.defaultImage || null,
    maxTaskTimeoutMinutes: settings.task.maxTimeoutMinutes,
    retries: Math.max(0, request.retries ?? submission.retries ?? 0),
    parent,
    lineage,
    traceparent: traceparent ?? null,
  };
}

/** The current parameters; a layer that is switched off is empty. */
function snapshotLayers(
  { keyring, publicUrl }: RunContext,
  submission: Submission,
  input: SubmitInput,
  { features }: InstanceSettings,
  { plan, runId, trigger }: { plan: Plan; runId: string; trigger: string },
): RunLayers {
  const urls = callbackTopics(plan).map((topic) => [topic, callbackUrl({ keyring, publicUrl }, runId, topic)]);
  return buildLayers({
    global: features.globalParameters ? openGivenParams(keyring, submission, "global") : [],
    team: features.teamParameters ? openGivenParams(keyring, submission, "team") : [],
    declared: openWorkflowParams(keyring, submission.teamId, submission.params ?? []),
    given: checkedParams(submission, input, plan.control),
    secretParams: input.secretParams,
    context: contextLayer(namedAs(submission, input), runId, trigger, input.initiatedBy, publicUrl),
    callbackUrls: Object.fromEntries(urls),
  });
}

function namedAs(submission: Submission, { trialOf, nestedIn }: SubmitInput): Submission {
  if (nestedIn) {
    const [workflowId, workflowName, workflowDisplayName] = ["workflow-id", "workflow-name", "workflow-displayname"].map((name) =>
      String(nestedIn[name] ?? ""),
    ) as [string, string, string];
    return { ...submission, workflowId, workflowName, workflowDisplayName, version: Number(nestedIn["workflow-version"]) };
  }
  return trialOf ? { ...submission, workflowName: trialOf.name, workflowDisplayName: trialOf.displayName } : submission;
}

function checkedParams(submission: Submission, input: SubmitInput, control: RunControl | undefined): readonly RunParam[] {
  const given = withBatch(submission, input, control);
  const details = checkParamValues(given, submission.params ?? [], input.secretParams);
  if (details.length === 0) return given;
  throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [details.map((detail) => detail.message).join("; ")], { details });
}

/** A run of a batch has the list of its events, at first with this one only. A run that isn't shared may bring a list of its own. */
function withBatch(submission: Submission, input: SubmitInput, control: RunControl | undefined): readonly RunParam[] {
  const given = input.request.params ?? [];
  if (control?.collect?.kind !== "batch") return given;
  const { param } = control.collect;
  if (!given.some(({ name }) => name === param))
    return [...given, { name: param, value: [batchEntry(given, submission.params ?? [], input.secretParams)] }];
  if (!isCollected(control, input)) return given;
  throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [
    `parameter "${param}" gets the list of the batch; leave it out, or submit with start=true a run that shares with no other`,
  ]);
}

function startOf(
  { startsQueuedRuns }: RunContext,
  { start, parent }: SubmitInput,
  { teamName, hasWaitingRuns }: Submission,
  maxConcurrent: number,
): RunRecord["start"] {
  if (start) return { teamName, maxConcurrent, isChild: Boolean(parent?.taskRunId), otherwise: "refused" };
  // It must not overtake older runs of the team.
  const isNext = startsQueuedRuns && !hasWaitingRuns && !parent && maxConcurrent > 0;
  return isNext ? { teamName, maxConcurrent, isChild: false, otherwise: "queued" } : undefined;
}

function checkSubmission(submission: Submission, input: SubmitInput): void {
  // A trial's workflow runs once: otherwise it would have runs that no list shows. Only its own task can run a nested workflow.
  if (submission.workflowName.startsWith(trialPrefix) && !input.trialOf && !input.nestedIn)
    throw new AppError("WORKFLOW_INVALID_REFERENCE", [input.workflow]);
  if (submission.teamStatus !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [submission.teamName]);
  if (submission.isArchived) throw new AppError("WORKFLOW_ARCHIVED", [submission.workflowName]);
  if (submission.workflowStatus !== "active") throw new AppError("WORKFLOW_NOT_ACTIVE", [submission.workflowName]);
  if (!submission.workflowVersionId) {
    throw new AppError("WORKFLOW_REVISION_NOT_FOUND", [
      `${submission.workflowName} (latest ${submission.latestVersion})`,
      input.request.workflowVersion,
    ]);
  }
  if (!input.trigger && input.request.trigger) checkTrigger(submission, input.request.trigger, input.arrived);
}

async function checkLineage(db: Queryable, submission: Submission, { lineage, refusesLoops }: SubmitInput): Promise<void> {
  if (!refusesLoops || !lineage?.length) return;
  const { teamId, workflowId, workflowName } = submission;
  await refuseLoop(db, { teamId, workflow: { id: workflowId, name: workflowName }, lineage });
}

function checkTrigger(submission: Submission, trigger: TriggerKind, arrived: InboundEvent | undefined): void {
  const isReserved = trigger === "engine" || trigger === "task" || (trigger === "workflow" && arrived === undefined);
  if (isReserved)
    throw new AppError("WORKFLOWRUN_TRIGGER_DISABLED", [
      trigger,
      submission.workflowName,
      "for the service itself only; leave trigger out",
    ]);
  const settings = submission.triggers[trigger];
  if (!settings?.enabled) throw new AppError("WORKFLOWRUN_TRIGGER_DISABLED", [trigger, submission.workflowName, "not enabled"]);
  if (arrived && settings.requireSignature && !arrived.isSigned)
    throw new AppError("UNAUTHENTICATED", [
      `workflow ${submission.workflowName} accepts only signed webhooks; sign the bytes of the body with its secret, which PUT …/workflow/${submission.workflowName}/webhook-secret creates`,
    ]);
  const unmet = arrived && unmetCondition(settings, arrived);
  if (unmet !== undefined) throw new AppError("WORKFLOWRUN_TRIGGER_DISABLED", [trigger, submission.workflowName, `not for this: ${unmet}`]);
}
