import { AppError } from "../base/error/app-error.ts";
import { EnvelopeError } from "../base/secret/envelope.ts";
import { createMasker } from "../base/secret/mask.ts";
import { type EventOrigin, eventOrigin } from "../core/inbound/codehost-payload.ts";
import { asksForCodehostToken, isCodehostToken } from "../core/inbound/codehost-token.ts";
import type { ParameterScope } from "../core/parameter/parameters.ts";
import { declaredValues, nodeSecretTexts } from "../core/parameter/secret-params.ts";
import { placeLookup, resolveNodeParams, UnresolvedReference, withoutUnresolved } from "../core/run/resolve-node.ts";
import { OversizedValues } from "../core/run/result-sizes.ts";
import { attemptTraceparent } from "../core/run/run-trace.ts";
import type { InstanceSettings } from "../core/settings/instance-settings.ts";
import { defaultNetwork, hostNetworkRefusal, type OptIn, privilegeProblem } from "../core/task/opt-in.ts";
import { meets, nodePlacing, placeTask, type RunNeed } from "../core/task/place-task.ts";
import { taskFunction } from "../core/task/task-function.ts";
import { contextNotes } from "../core/task/tekton/context-warnings.ts";
import { MissingSource } from "../core/task/tekton/env-sources.ts";
import { resolveSteps } from "../core/task/tekton/job-steps.ts";
import { jobSidecars } from "../core/task/tekton/sidecars/job-sidecars.ts";
import { resultSource, stepResultFile } from "../core/task/tekton/step-values.ts";
import { InvalidMount } from "../core/task/tekton/volumes/volume-mounts.ts";
import { type NamedValue, nodeAt, type Plan, type PlanNode } from "../core/workflow/plan.ts";
import { type AttemptInputs, attemptItem, attemptScope, declaredResults, type KnownRuns, loadInputs } from "../domain/run/attempt-scope.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import type { RunSecrets } from "../domain/run/run-layers.ts";
import { openRunSecrets, secretTexts, sourceFinder } from "../domain/run/run-secrets.ts";
import type { Database } from "../store/database/database.ts";
import type { JobRun, NodeValues } from "../store/run/job-inputs.ts";
import type { Claim } from "../store/worker/workers.ts";
import type { Executor, Job } from "./executor.ts";
import { type ExecutorSet, imagesOfSteps } from "./executor-set.ts";
import { checkWorkspaces, jobWorkspaces, missingWorkspace, type WorkspaceLook, whyWorkspaceLost } from "./job-workspaces.ts";

/**
 * Builds jobs from claimed attempts. This is the only place where secrets are decrypted for the service's own workers. The parameters are
 * resolved once more, as they were when the task run became ready, now with the secrets in clear, and inserted into the steps.
 *
 * Places that only the executor knows (`$(results.NAME.path)`, `$(workspaces.NAME.path)` …) are asked of it and put in in the same
 * pass, so that text which came in through a parameter is not examined again. A token of the codehost is put in as they are; it is
 * asked for on the network, outside of any transaction, and while the other jobs of the same claim already run.
 */

type Place = (words: readonly string[]) => string | undefined;

export interface PreparedJob {
  claim: Claim;
  /** The executor that will run it. */
  executor: Executor;
  job: Job | undefined;
  /** Why there is no job, as a reason and as a sentence; without a status the attempt is invalid. */
  refusal?: { reason: string; message: string; status?: "failed" };
  /** The first lines of the attempt's log: references in steps that could not be resolved. */
  notes?: string[];
  /** Set instead of the others if the rest takes a while, so that the other claims need not wait for it. */
  later?: Promise<PreparedJob>;
}

/** Gets a token of the code host for a run of the team, over the network. @throws AppError */
export type GiveCodehostToken = (teamId: string, origin: EventOrigin | undefined) => Promise<string>;

export interface JobSettings {
  executors: Pick<ExecutorSet, "choose">;
  /** Folder of the workspaces on this machine. */
  workspacesDir: string;
  /** Id of that folder. */
  place?: string | undefined;
  /** Workspaces can be restored from a store. */
  hasStore?: boolean;
  limits: Job["limits"];
  /** Absent: references to the token stay unchanged. */
  giveCodehostToken?: GiveCodehostToken;
  /** Absent: each run is read for each of its attempts. */
  recent?: KnownRuns;
}

/** What is known about a claimed attempt. */
interface Known {
  executor: Executor;
  run: JobRun;
  plan: Plan;
  node: PlanNode;
  /** Secrets of the run, in clear. */
  secrets: RunSecrets;
  /** Task runs of this run only. */
  values: readonly NodeValues[];
  /** Of a run that has some. */
  workspaces: WorkspaceLook | undefined;
  /** Token of the code host, for a node that asks for it. */
  token?: string;
}

type Settings = JobSettings & { instance: InstanceSettings };

export async function prepareJobs(
  sql: Database,
  context: RunContext,
  settings: JobSettings,
  claims: readonly Claim[],
): Promise<PreparedJob[]> {
  const instance = await context.settings.load(sql);
  const { runs, plans, values } = await loadInputs(sql, context, settings.recent, claims);
  const workspaces = await checkWorkspaces(sql, settings.workspacesDir, runs.values());
  return claims.map((claim) => {
    const run = runs.get(claim.runId);
    const plan = plans.get(claim.runId);
    const executor = settings.executors.choose(claim.need);
    if (!executor) throw new Error(`a task run was claimed that needs ${claim.need}, which this worker does not have`);
    if (!run || !plan) return refuse(claim, executor, "InvalidTask", "its run no longer exists");
    try {
      const secrets = run.secrets ? openRunSecrets(context.keyring, run.teamId, run.id, run.secrets) : {};
      const own = values.filter((value) => value.runId === run.id);
      const known = { executor, run, plan, node: nodeAt(plan, claim.node), secrets, values: own, workspaces: workspaces.get(run.id) };
      if (settings.giveCodehostToken === undefined || !asksForCodehostToken(known.node))
        return prepareOne(context, { ...settings, instance }, claim, known);
      const later = prepareWithToken(context, { ...settings, instance }, claim, known, settings.giveCodehostToken);
      later.catch(() => {}); // The code that awaits it gets the error. Nobody may await it if another claim could not be prepared.
      return { claim, executor, job: undefined, later };
    } catch (error) {
      return unreadable(claim, executor, error);
    }
  });
}

/**
 * A secret that can't be decrypted, or a broken reference, only affects this attempt: the other claims are prepared, and the task may be
 * retried later.
 */
function unreadable(claim: Claim, executor: Executor, error: unknown): PreparedJob {
  if (error instanceof UnresolvedReference || error instanceof MissingSource)
    return { claim, executor, job: undefined, refusal: { reason: error.reason, message: error.message, status: "failed" } };
  if (error instanceof InvalidMount) return refuse(claim, executor, "InvalidTask", error.message);
  if (error instanceof OversizedValues) return refuse(claim, executor, error.reason, error.message);
  if (!(error instanceof EnvelopeError)) throw error;
  return { claim, executor, job: undefined, refusal: { reason: "SecretUnreadable", message: error.message, status: "failed" } };
}

/** An error with the token only affects this attempt. It may be temporary, so the attempt fails and can be retried. */
async function prepareWithToken(
  context: RunContext,
  settings: Settings,
  claim: Claim,
  known: Known,
  give: GiveCodehostToken,
): Promise<PreparedJob> {
  try {
    const { context: about, workflow } = known.run.layers;
    const isOfEvent = about?.["workflowrun-trigger"] === "codehost";
    const token = await give(claim.teamId, isOfEvent ? eventOrigin(workflow?.["data"]) : undefined);
    return prepareOne(context, settings, claim, { ...known, token });
  } catch (error) {
    if (!(error instanceof AppError)) return unreadable(claim, known.executor, error);
    const refusal = {
      reason: "CodehostToken",
      message: `There is no $(context.codehost-token): ${error.message}`,
      status: "failed",
    } as const;
    return { claim, executor: known.executor, job: undefined, refusal };
  }
}

function prepareOne(context: RunContext, settings: Settings, claim: Claim, known: Known): PreparedJob {
  const { executor, run, node, secrets, token } = known;
  if (!node.task) return refuse(claim, executor, "InvalidTask", "its task no longer exists");
  const scope = attemptScope(context.keyring, inputsOf(known));
  const frame = frameOf(settings, claim, known);
  const place = (words: readonly string[]) => (isCodehostToken(words) ? token : executor.place(frame, words));
  const own = attemptItem(scope, claim, inputsOf(known));
  const { params } = resolveNodeParams(scope, node, { taskRunId: claim.id, name: frame.name, ...own, place });
  const hidden = [...secretTexts(secrets), ...nodeSecretTexts(node, scope.open), ...(token === undefined ? [] : [token])];
  const resolved = maskedSteps(hidden, node.task, stepScope(node, params, place), sourceFinder(scope.layers, secrets));
  const { steps, volumes, secrets: ofActions } = resolved;
  const warnings = withoutUnresolved(node, resolved.warnings);
  if (steps.length === 0) return refuse(claim, executor, "InvalidTask", `task ${node.task.name} has no steps to run`);
  const missing = missingWorkspace(node, frame.workspaces);
  if (missing) return refuse(claim, executor, "WorkspaceRequired", missing);
  const use = {
    need: claim.need,
    executor: executor.kind,
    workspaces: frame.workspaces,
    folder: settings.place,
    hasStore: settings.hasStore === true,
  };
  const lost = known.workspaces && whyWorkspaceLost(known.workspaces, use);
  if (lost !== undefined)
    return { ...refuse(claim, executor, "WorkspaceLost", lost), refusal: { reason: "WorkspaceLost", message: lost, status: "failed" } };
  const { need, refusal } = placeTask(node, run.defaultImage !== null, () => steps);
  // It may quote a value that a parameter has inserted into a step.
  if (refusal) return refuse(claim, executor, refusal.reason, createMasker(hidden).maskText(refusal.message));
  if (!meets(executor.kind, need)) return refuse(claim, executor, "InvalidTask", changedSince(node.task.name, need, claim.need));
  const network = nodePlacing(node).network ?? defaultNetwork(executor.kind, steps);
  const hostRefusal = network === "host" ? hostNetworkRefusal(hostRights(context, run)) : undefined;
  if (hostRefusal)
    return refuse(claim, executor, "InvalidTask", `task ${node.task.name} cannot run: its network is host, but ${hostRefusal}`);
  const forbidden = privilegeProblem(node.task, privilegeRights(context, run));
  if (forbidden) return refuse(claim, executor, "InvalidTask", `task ${node.task.name} cannot run: ${forbidden}`);
  const called = taskFunction(node, steps);
  if (called && "problem" in called) return refuse(claim, executor, "InvalidTask", called.problem);
  const job: Job = {
    ...frame,
    steps: imagesOfSteps(called ? steps.map((step) => ({ ...step, language: called.language })) : steps, executor.kind, run.defaultImage),
    params,
    results: declaredResults(node).map(jobResult),
    secrets: [...hidden, ...ofActions],
    ...(resolved.sidecars.length > 0 && { sidecars: jobSidecars(node.task, resolved.sidecars) }),
    ...(volumes.length > 0 && { volumes }),
    network,
    limits: settings.limits,
    timeoutMs: claim.deadlineAt ? claim.deadlineAt.getTime() - claim.claimedAt.getTime() : dayMs,
    ...{ debug: run.debug, lineage: run.lineage, traceparent: attemptTraceparent(context, run, claim.id, claim.attempt) },
    // A kept sandbox has one stream for all of its jobs.
    ...(called &&
      called.keep !== "false" &&
      steps.every(({ outputFiles }) => !outputFiles) && {
        keep: { definition: node.task.versionId, withSecrets: called.keep === "with-secrets" },
      }),
    ...schedulingOf(node),
  };
  return { claim, executor, job, notes: [...warnings.map(unresolved), ...(executor.kind === "process" ? [] : contextNotes(node.task))] };
}

function jobResult({ name, type, value }: ReturnType<typeof declaredResults>[number]): Job["results"][number] {
  const source = resultSource(value);
  const known = (["string", "array", "object"] as const).find((one) => one === type);
  return { name, ...(known && { type: known }), ...(source && { file: stepResultFile(source) }) };
}

/** The name of a source or a key, and the path of a mount, may come from a parameter, and so be a secret. */
function maskedSteps(hidden: readonly string[], ...[task, scope, find]: Parameters<typeof resolveSteps>): ReturnType<typeof resolveSteps> {
  // Only errors need the masker, which costs more than the steps.
  const mask = (text: string) => createMasker(hidden).maskText(text);
  try {
    return resolveSteps(task, scope, find, mask);
  } catch (error) {
    if (error instanceof MissingSource) throw new MissingSource(mask(error.message));
    throw error instanceof InvalidMount ? new InvalidMount(mask(error.message)) : error;
  }
}

function hostRights({ allowsHostNetwork }: RunContext, { teamName, isTeamAllowedHost }: JobRun): OptIn {
  return { isAllowedHere: allowsHostNetwork, team: { name: teamName, isAllowed: isTeamAllowedHost } };
}

function privilegeRights({ allowsPrivileged }: RunContext, { teamName, isTeamAllowedPrivileged }: JobRun): OptIn {
  return { isAllowedHere: allowsPrivileged, team: { name: teamName, isAllowed: isTeamAllowedPrivileged } };
}

/** For an attempt without a deadline. */
const dayMs = 24 * 3600 * 1000;

function inputsOf({ run, plan, node, secrets, values }: Known): AttemptInputs {
  return { teamId: run.teamId, layers: run.layers, plan, node, secrets, values };
}

/** What the executor must know before it can name paths. */
function frameOf({ workspacesDir, instance }: Settings, claim: Claim, { run, node }: Known) {
  return {
    teamId: claim.teamId,
    runId: claim.runId,
    taskRunId: claim.id,
    attempt: claim.attempt,
    lostAttempts: claim.losses,
    name: claim.item === null ? node.name : `${node.name}[${claim.item}]`,
    workspaces: jobWorkspaces(workspacesDir, run, node, instance),
  };
}

function refuse(claim: Claim, executor: Executor, reason: string, message: string): PreparedJob {
  return { claim, executor, job: undefined, refusal: { reason, message } };
}

/** Annotations of a task don't belong to a version, and an older version of the service may have made the task run ready. */
function changedSince(taskName: string, now: RunNeed, then: RunNeed): string {
  return `task ${taskName} needs ${now} now, but was queued as needing ${then}; run it again`;
}

function unresolved({ reference, why }: { reference: string; why: string }): string {
  return `${reference} is left as written: ${why}`;
}

function schedulingOf(node: PlanNode): Pick<Job, "scheduling"> {
  const { nodeSelector } = nodePlacing(node);
  return nodeSelector ? { scheduling: { nodeSelector } } : {};
}

/** Steps of a definition can use the parameters of their task, with or without a value, and paths. */
function stepScope(node: PlanNode, params: readonly NamedValue[], place: Place): ParameterScope {
  const declared = declaredValues(node).map(({ name }) => [name, null]);
  return { task: Object.fromEntries([...declared, ...params.map(({ name, value }) => [name, value])]), extra: placeLookup(place) };
}
