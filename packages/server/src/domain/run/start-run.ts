import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { WorkflowRunRequest } from "@millrace/contract/run/run.ts";
import { runCan } from "@millrace/contract/run/run-rules.ts";
import { AppError } from "../../base/error/app-error.ts";
import { deadlineFaults } from "../../core/alert/deadline.ts";
import { secretMask } from "../../core/parameter/node-secrets.ts";
import { checkParamValues } from "../../core/parameter/parameters-check.ts";
import { isSecretParam } from "../../core/parameter/secret-params.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import { quotasInForce } from "../../core/settings/instance-settings.ts";
import type { Transaction } from "../../store/database/database.ts";
import { closeCollection } from "../../store/run/limits/run-collections.ts";
import { findAmendable, updateQueuedRun } from "../../store/run/queue/queued-runs.ts";
import { findRun, findRunSecrets, type RunRow } from "../../store/run/runs.ts";
import { countActiveLocked, findTeamLimits } from "../../store/run/submissions.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { advanceRuns } from "./advance-runs.ts";
import { limitReached } from "./limits/request-slots.ts";
import type { RunContext } from "./run-context.ts";
import type { RunSecrets } from "./run-layers.ts";
import { openRunSecrets, sealRunSecrets } from "./run-secrets.ts";
import { runWorkspaces, type WorkspaceLimits } from "./run-workspaces.ts";

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

/** It waits for no more events, and has those that came. */
async function closed(tx: Transaction, teamId: string, run: RunRow): Promise<RunRow> {
  await closeCollection(tx, teamId, run.id);
  return (await findRun(tx, teamId, run.id)) ?? run;
}

function notQueued(runId: string, status: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, status, "in the queue (phase pending or queued)"]);
}

/**
 * Lays what a start request brings over a run that still waits in the queue: labels, annotations and parameters by name, workspaces
 * by name too, the rest as a whole. A parameter whose default was computed from one that is given now keeps its value.
 * Writes nothing when the request brings nothing, or when the run has left the queue meanwhile. Who brings something is one of
 * those whose run it is: otherwise people could approve their own parameters in a run of someone else.
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

/** What it keeps was made of them, and people have approved it with them. */
function keepsParams(runId: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [
    `run ${runId} is a rerun, which keeps results and approvals, so its parameters can't change; retry the run instead, or submit a new one`,
  ]);
}

/** Those that have a value. What is required and has none may have got one at the submission. */
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

/** What is given now replaces what stood masked under that name. */
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
