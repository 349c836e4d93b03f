import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { WorkflowRunRequest } from "@millrace/contract/run/run.ts";
import { runCan } from "@millrace/contract/run/run-rules.ts";
import { AppError } from "../../base/error/app-error.ts";
import { deadlineFaults } from "../../core/alert/deadline.ts";
import { checkParamValues } from "../../core/parameter/parameters-check.ts";
import { isSecretParam, secretMask } from "../../core/parameter/secret-params.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import { quotasInForce } from "../../core/team/quota.ts";
import type { Transaction } from "../../store/database/database.ts";
import { closeCollection } from "../../store/run/limits/run-collections.ts";
import { findAmendable, updateQueuedRun } from "../../store/run/queue/queued-runs.ts";
import { findRun, findRunSecrets, type RunRow } from "../../store/run/runs.ts";
import { countActiveLocked, findTeamLimits } from "../../store/team/team-limits.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { advanceRuns } from "./advance-runs.ts";
import { runWorkspaces, type WorkspaceLimits } from "./limits/check-quotas.ts";
import { limitReached } from "./limits/request-slots.ts";
import type { RunContext } from "./run-context.ts";
import { type RunSecrets, sealRunSecrets } from "./run-layers.ts";
import { openRunSecrets } from "./run-secrets.ts";

/**
 * Starts a run that waits in the queue, ahead of those before it, with the additions of the request. The team is locked before the run, as
 * the engine does when it starts queued runs, so the two can't deadlock.
 *
 * @throws WORKFLOWRUN_INVALID_PHASE if it is not (or no longer) queued, QUOTA_EXCEEDED if it needs a slot and the team has none,
 * WORKFLOW_TEAM_INACTIVE
 */
export async function startRun(
  tx: Transaction,
  context: RunContext,
  teamId: string,
  run: RunRow,
  { by, ...request }: WorkflowRunRequest & { by: string },
): Promise<RunChange> {
  if (!runCan.start(run)) throw notQueued(run.id, run.status);
  const limits = await findTeamLimits(tx, teamId);
  if (limits.status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [limits.name]);
  const settings = await context.settings.load(tx);
  const quotas = quotasInForce(limits, settings);
  const active = await countActiveLocked(tx, teamId);
  const waiting = run.heldFor === "events" ? await closed(tx, teamId, run) : run;
  await amendRun(tx, context, teamId, waiting, { ...request, by }, { teamName: limits.name, quotas, storage: settings.storage });
  const [change] = await advanceRuns(tx, context, [
    { teamId, id: run.id, events: [{ kind: "start", hasPlace: active < quotas.maxConcurrentRuns }] },
  ]);
  if (!change) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [run.id]);
  if (!runCan.start(change.before)) throw notQueued(run.id, change.before.status);
  if (change.before.heldFor !== null) throw await limitReached(tx, change.before);
  if (change.after.activity === "wanted")
    throw quotaExceeded("maxConcurrentRuns", { team: limits.name, used: active, max: quotas.maxConcurrentRuns, retryAfterSeconds: 1 });
  return change;
}

/** It stops collecting events, and has those that arrived. */
async function closed(tx: Transaction, teamId: string, run: RunRow): Promise<RunRow> {
  await closeCollection(tx, teamId, run.id);
  return (await findRun(tx, teamId, run.id)) ?? run;
}

function notQueued(runId: string, status: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, status, "in the queue (phase pending or queued)"]);
}

/**
 * Merges a start request into a run that still waits in the queue: labels, annotations, parameters and workspaces by name, everything else
 * as a whole. A parameter whose default was computed from one that is given now keeps its value. Writes nothing if the request adds
 * nothing, or if the run has left the queue in the meantime. Callers who add something count as having started the run: otherwise they
 * could approve their own parameters in a run of another person.
 *
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT, QUOTA_EXCEEDED for workspaces
 */
async function amendRun(
  tx: Transaction,
  context: RunContext,
  teamId: string,
  run: RunRow,
  { by, ...request }: WorkflowRunRequest & { by: string },
  limits: WorkspaceLimits,
): Promise<void> {
  if (Object.values(request).every(isEmpty)) return;
  if (request.annotations) refuseFaults(deadlineFaults(request.annotations));
  const found = await findAmendable(tx, teamId, run.id);
  if (!found) return;
  if (found.keepsTasks && !isEmpty(request.params)) throw keepsParams(run.id);
  const workspaces = runWorkspaces([], request.workspaces ?? [], limits);
  const given = checkedParams(request.params ?? [], found.declared ?? [], run.params);
  const overlaid = overlayParams(run.params, given, found.declared ?? []);
  const envelope = await findRunSecrets(tx, teamId, run.id);
  const secrets = mergeSecrets(envelope ? openRunSecrets(context.keyring, teamId, run.id, envelope) : {}, given, overlaid.secret);
  await updateQueuedRun(tx, teamId, run.id, {
    labels: { ...run.labels, ...request.labels },
    annotations: { ...run.annotations, ...request.annotations },
    params: overlaid.params,
    layers: {
      ...found.layers,
      workflow: { ...found.layers.workflow, ...byName(overlaid.params) },
      ...(found.layers.unresolved && { unresolved: withoutNames(found.layers.unresolved, given) }),
    },
    secrets: sealRunSecrets(context.keyring, teamId, run.id, secrets),
    workspaces: [...new Map([...run.workspaces, ...workspaces].map((workspace) => [workspace.name, workspace])).values()],
    timeoutMinutes: request.timeout || run.timeoutMinutes,
    retries: Math.max(0, request.retries ?? run.retries),
    debug: request.debug ?? run.debug,
    by,
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Reused tasks were computed from them, and people have approved the run with them. */
function keepsParams(runId: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [
    `run ${runId} is a rerun, which keeps results and approvals, so its parameters can't change; retry the run instead, or submit a new one`,
  ]);
}

/** Those with a value. A required one without a default may have got a value at the submission. */
function checkedParams(params: readonly RunParam[], declared: readonly AbstractParam[], known: readonly RunParam[]): RunParam[] {
  const names = new Set(known.map(({ name }) => name));
  const details = checkParamValues(
    params,
    declared.map((param) => (names.has(param.name) ? { ...param, required: false } : param)),
  );
  if (details.length > 0)
    throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [details.map(({ message }) => message).join("; ")], { details });
  return params.filter(({ value }) => value !== undefined && value !== null);
}

function overlayParams(known: readonly RunParam[], given: readonly RunParam[], declared: readonly AbstractParam[]) {
  const secret = new Set(declared.filter(isSecretParam).map(({ name }) => name));
  const params = new Map(known.map(({ name, value }) => [name, value]));
  for (const { name, value } of given) params.set(name, secret.has(name) ? secretMask : value);
  return { params: [...params].map(([name, value]) => ({ name, value })), secret };
}

/** A value that is given now replaces the masked one of that name. */
function mergeSecrets(known: RunSecrets, given: readonly RunParam[], secret: ReadonlySet<string>): RunSecrets {
  const workflow = { ...known.workflow };
  for (const { name, value } of given) {
    if (secret.has(name)) workflow[name] = value;
    else delete workflow[name];
  }
  return { ...known, workflow };
}

function byName(params: readonly { name: string; value: unknown }[]): Record<string, unknown> {
  return Object.fromEntries(params.map(({ name, value }) => [name, value]));
}

function withoutNames(unresolved: Readonly<Record<string, string>>, given: readonly RunParam[]): Record<string, string> {
  const names = new Set(given.map(({ name }) => name));
  return Object.fromEntries(Object.entries(unresolved).filter(([name]) => !names.has(name)));
}
