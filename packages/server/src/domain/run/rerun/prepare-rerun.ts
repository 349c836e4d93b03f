import type { RunParam, RunResult } from "@millrace/contract/common.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { callbackParameter } from "../../../core/parameter/references.ts";
import { isSecretParam, secretMask } from "../../../core/parameter/secret-params.ts";
import { type NodePlan, planRerun, unknownNames } from "../../../core/run/rerun/plan-rerun.ts";
import { listUnmapped, type Unmapped } from "../../../core/run/rerun/reasons.ts";
import type { RerunQuestion } from "../../../core/run/rerun/rerun-question.ts";
import type { Layers, RunState } from "../../../core/run/run-state.ts";
import type { Plan } from "../../../core/workflow/plan.ts";
import { workspaceType } from "../../../core/workflow/workflow-document-checks.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listDeclaredParams } from "../../../store/run/reruns.ts";
import type { RunRow } from "../../../store/run/runs.ts";
import { findSubmission, type Submission } from "../../../store/run/submissions.ts";
import type { RunContext } from "../run-context.ts";
import { callbackTopics, openWorkflowParams, type RunSecrets } from "../run-layers.ts";
import { loadRunSecrets, nodeSecretOpener, revealLayers } from "../run-secrets.ts";
import { checkMark, refuseUnmarked } from "./mark-succeeded.ts";
import { refused, refusedSecret } from "./refused.ts";
import { layersOfRerun, type RerunLayers } from "./rerun-layers.ts";

/** Plans a rerun: which workflow, which parameters, and what happens to each of its tasks. Nothing is written here. */

export interface RerunOptions {
  /** Names of tasks; what failed runs again in any case. */
  from?: readonly string[] | undefined;
  /** Absent: the version of the run. */
  version?: number | "latest" | undefined;
  params?: readonly RunParam[] | undefined;
  /** Stored with an action on many runs, which people can read, so they must not be secrets. */
  showsParams?: boolean;
  /** A failed task that is to count as succeeded. */
  marked?: { task: string; results: readonly RunParam[] } | undefined;
}

export interface PreparedRerun {
  target: Target;
  layers: RerunLayers;
  nodes: NodePlan[];
  unmapped: Unmapped[];
  /** Of the marked task. */
  results: RunResult[];
  /** Digest of everything that the plan is built from. */
  digest: string;
}

/** The workflow that is to run. */
export interface Target {
  plan: Plan;
  workflowVersionId: string;
  taskVersionIds: string[];
  version: number;
  latestVersion: number;
  /** It has another version than the run. */
  isOther: boolean;
  /** Those of the submission, or else those of the version. */
  timeoutMinutes: number | null;
  retries: number;
}

export interface FinishedRun {
  row: RunRow;
  state: RunState;
}

/**
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT for a request that does not fit the workflow or the run, WORKFLOW_REVISION_NOT_FOUND,
 * WORKFLOW_INVALID_REFERENCE for a deleted workflow
 */
export async function prepareRerun(db: Queryable, context: RunContext, run: FinishedRun, options: RerunOptions): Promise<PreparedRerun> {
  const { row, state } = run;
  const plan = await context.plans.load(db, state);
  const target = await findTarget(db, context, run, plan, options.version);
  const marked = options.marked && {
    task: options.marked.task,
    results: checkMark(plan, state, options.marked.task, options.marked.results),
  };
  const unknown = unknownNames(target.plan, options.from ?? []);
  if (unknown.length > 0)
    throw refused(`version ${target.version} of ${row.workflowName} has no task ${unknown.map((name) => JSON.stringify(name)).join(", ")}`);
  const secrets = (await loadRunSecrets(db, context.keyring, state.teamId, row.id)) ?? {};
  // Callback URLs are the only secrets of the context. They differ in each run, so they don't count as a change.
  const { context: _, ...own } = secrets;
  const clear = revealLayers(state.layers, own);
  const layers = await findLayers(db, context, { ...run, secrets, clear }, target, options);
  const question: RerunQuestion = {
    before: sideOf(context, state, plan, clear),
    after: sideOf(context, state, target.plan, target.isOther ? withVersion(layers.clear, target) : layers.clear),
    tasks: state.nodes,
    chosen: new Set(options.from),
    marked: new Set(marked ? [marked.task] : []),
    hasWorkspace: row.workspaces.some((workspace) => workspaceType(workspace) === "workflowrun"),
  };
  const nodes = planRerun(question);
  const unmapped = listUnmapped(question);
  if (marked) refuseUnmarked(nodes, marked.task);
  const content = planContent([row.id, target, nodes, unmapped, layers.params, marked?.results, options.params ?? []]);
  // Parameters can be secrets, of which a mere hash could be guessed.
  const digest = context.keyring.sign(content, "plan of a rerun");
  return { target, layers, nodes, unmapped, results: marked?.results ?? [], digest };
}

function sideOf({ keyring }: RunContext, { teamId }: RunState, plan: Plan, layers: Layers): RerunQuestion["before"] {
  return { plan, layers, open: nodeSecretOpener(keyring, teamId) };
}

async function findTarget(
  db: Queryable,
  context: RunContext,
  { row, state }: FinishedRun,
  plan: Plan,
  wanted: RerunOptions["version"],
): Promise<Target> {
  const version = wanted === "latest" ? undefined : (wanted ?? row.workflowVersion);
  const found = await findSubmission(db, { teamId: state.teamId, ref: state.workflowId, version });
  if (!found) throw new AppError("WORKFLOW_INVALID_REFERENCE", [row.workflowName]);
  const { latestVersion } = found;
  const { workflowVersionId, taskVersionIds, timeoutMinutes, retries } = state;
  if (version === row.workflowVersion || found.version === row.workflowVersion) {
    const same = { workflowVersionId, taskVersionIds, timeoutMinutes, retries, version: row.workflowVersion };
    return { ...same, plan, latestVersion, isOther: false };
  }
  if (found.workflowVersionId === null || found.version === null)
    throw new AppError("WORKFLOW_REVISION_NOT_FOUND", [`${row.workflowName} (latest ${latestVersion})`, version ?? latestVersion]);
  if (found.version < row.workflowVersion)
    throw refused(`version ${found.version} is older than version ${row.workflowVersion} of the run; choose that or a later one`);
  const key = { teamId: state.teamId, workflowVersionId: found.workflowVersionId, taskVersionIds: found.taskVersionIds };
  const ran = await findSubmission(db, { teamId: state.teamId, ref: state.workflowId, version: row.workflowVersion });
  const limits = ran ? limitsAgain(state, ran, found) : { timeoutMinutes, retries };
  return { ...key, ...limits, plan: await context.plans.load(db, key), version: found.version, latestVersion, isOther: true };
}

/** Values that the run had from its version now come from the other version. */
function limitsAgain(
  { timeoutMinutes, retries }: RunState,
  before: Submission,
  after: Submission,
): Pick<Target, "timeoutMinutes" | "retries"> {
  return {
    timeoutMinutes: timeoutMinutes === (before.timeoutMinutes || null) ? after.timeoutMinutes || null : timeoutMinutes,
    retries: retries === Math.max(0, before.retries ?? 0) ? Math.max(0, after.retries ?? 0) : retries,
  };
}

async function findLayers(
  db: Queryable,
  { keyring }: RunContext,
  original: FinishedRun & { secrets: RunSecrets; clear: Layers },
  { isOther, workflowVersionId }: Target,
  { params: given = [], showsParams }: RerunOptions,
): Promise<RerunLayers> {
  const { row, state, secrets, clear } = original;
  if (!isOther && given.length === 0) return { masked: state.layers, secrets, params: row.params as RerunLayers["params"], clear };
  const declared = openWorkflowParams(keyring, state.teamId, await listDeclaredParams(db, state.teamId, workflowVersionId));
  const secret = given.find(
    ({ name }) => declared.some((param) => param.name === name && isSecretParam(param)) || name in (secrets.workflow ?? {}),
  );
  if (showsParams && secret) throw refusedSecret(secret.name);
  return layersOfRerun(original, declared, given);
}

/** What tasks of another version can refer to. Callback URLs are new in each run. */
export function withVersion(layers: Layers, { version, plan }: Pick<Target, "version" | "plan">): Layers {
  const { [callbackParameter]: _, ...context } = layers.context;
  const topics = callbackTopics(plan).map((topic) => [topic, secretMask]);
  const urls = topics.length === 0 ? {} : { [callbackParameter]: Object.fromEntries(topics) };
  return { ...layers, context: { ...context, "workflow-version": version, ...urls } };
}

function planContent([runId, target, nodes, unmapped, params, results, given]: [
  string,
  Target,
  NodePlan[],
  Unmapped[],
  RerunLayers["params"],
  RunResult[] | undefined,
  readonly RunParam[],
]): string {
  const { workflowVersionId, taskVersionIds } = target;
  const decisions = nodes.map(({ name, decision, why, text, keepsItems }) => [name, decision, why, text, keepsItems]);
  const values = given.map(({ name, value }) => [name, value]).sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return JSON.stringify([runId, workflowVersionId, taskVersionIds, decisions, unmapped, params, results ?? null, values]);
}
