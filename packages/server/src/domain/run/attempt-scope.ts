import { isFinal } from "@millrace/contract/status.ts";
import { BoundedCache } from "../../base/process/bounded-cache.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { readRound } from "../../core/run/loops/loop-scope.ts";
import { type NodeScope, type OwnScope, referredNodes, resolveItemList } from "../../core/run/resolve-node.ts";
import { textLengthOf } from "../../core/run/result-sizes.ts";
import type { Layers, RunState } from "../../core/run/run-state.ts";
import { privilegeProblem } from "../../core/task/opt-in.ts";
import { nodePlacing } from "../../core/task/place-task.ts";
import { nodeAt, type Plan, type PlanNode } from "../../core/workflow/plan.ts";
import type { Database } from "../../store/database/database.ts";
import { type JobRun, listJobRuns, listNodeValues, type NodeValues } from "../../store/run/job-inputs.ts";
import type { Claim } from "../../store/worker/workers.ts";
import type { RunContext } from "./run-context.ts";
import type { RunSecrets } from "./run-layers.ts";
import { nodeSecretOpener, openRunSecrets, revealLayers } from "./run-secrets.ts";

/**
 * What a claimed attempt is prepared from, and the scope in which its parameters are resolved, with secrets in clear, for the program that
 * runs it.
 */

export interface AttemptInputs {
  teamId: string;
  layers: Layers;
  plan: Plan;
  node: PlanNode;
  /** Secrets of the run, in clear. */
  secrets: RunSecrets;
  /** Task runs of this run only: those of the nodes that `nodesToRead` names. */
  values: readonly NodeValues[];
}

/** Indexes of the nodes whose values the attempt needs. */
export function nodesToRead(plan: Plan | undefined, claim: Claim): readonly number[] {
  if (!plan) return [];
  const nodes = referredNodes(plan, nodeAt(plan, claim.node));
  return claim.item === null ? nodes : [...nodes, claim.node];
}

export function attemptScope(keyring: Keyring, { teamId, layers, plan, secrets, values }: AttemptInputs) {
  return {
    plan,
    open: nodeSecretOpener(keyring, teamId),
    layers: revealLayers(layers, secrets),
    resultsOf: (index: number) =>
      values.find((value) => value.node === index && (value.status !== "skipped" || index === plan.end))?.results,
    endOf: (index: number) => values.find(({ node, status }) => node === index && isFinal(status))?.status,
  } satisfies NodeScope;
}

/**
 * Which item of a list this is, or which round of a loop. The stored list has its secrets masked; if there are any, the list is resolved
 * once more. Results of a round stay masked.
 */
export function attemptItem(scope: NodeScope, claim: Claim, { node, secrets, values }: AttemptInputs): Pick<OwnScope, "item" | "loop"> {
  if (claim.item === null) return {};
  const params = values.find((value) => value.node === claim.node)?.params;
  if (node.loop) return { loop: readRound(params, claim.item) };
  const stored = params?.find((param) => param.name === "items")?.value;
  const hasSecrets = Object.keys(secrets).length > 0;
  const items = hasSecrets ? resolveItemList(scope, node, { taskRunId: claim.id, name: node.name }).items : stored;
  return { item: { index: claim.item, value: Array.isArray(items) ? (items[claim.item] ?? null) : null } };
}

/** The parameters of the task, and those of the node. */
export function declaredResults(node: PlanNode): { name: string; type?: string; value?: unknown }[] {
  const declared = (node.task?.spec.results ?? []) as { name: string; type?: string; value?: unknown }[];
  const names = new Set(declared.map((result) => result.name));
  return [...declared, ...node.results.filter((result) => !names.has(result.name))];
}

export interface RememberedValues {
  state: RunState;
  plan: Plan;
  values: NodeValues[];
}

/**
 * The values that the parameters of a claimed attempt refer to, from memory. The steps of a chain follow each other in milliseconds, so
 * this process usually knows the results of the previous step. All items of a node have one list: reading it for each of them would take
 * the square of its length.
 * @returns undefined if memory does not know the claim, or lacks something that is needed
 */
export async function rememberedValues(sql: Database, context: RunContext, claim: Claim): Promise<RememberedValues | undefined> {
  const state = context.states.get(claim.runId);
  const task = claim.item === null ? state?.nodes[claim.node] : state?.items.get(claim.node)?.at(claim.item);
  if (!state || task?.attempt !== claim.attempt || task.status !== "running") return undefined;
  const plan = await context.plans.load(sql, state);
  const values: NodeValues[] = [];
  for (const index of nodesToRead(plan, claim)) {
    const node = state.nodes[index];
    const isOwn = claim.item !== null && index === claim.node;
    // While a node waits for its items it has no results, and memory keeps the list that they come from.
    const { results, params } = isOwn ? { results: [], params: node?.params } : { results: node?.results, params: [] };
    if (node === undefined || results === undefined || params === undefined) return undefined;
    values.push({ runId: claim.runId, node: index, status: node.status, results, params });
  }
  return { state, plan, values };
}

/**
 * What jobs are built from: the runs of claimed attempts, their plans, and the values that their parameters refer to.
 *
 * If this process has prepared a step of a run before, the run is not read again for the next one. Of the cached data, only the rights of
 * the team can change, so a task that needs one of them always reads it. Secrets stay encrypted in memory; an envelope that can't be
 * decrypted any more is read again.
 */
export interface JobInputs {
  runs: Map<string, JobRun>;
  plans: Map<string, Plan>;
  values: NodeValues[];
}

export type KnownRuns = Pick<BoundedCache<JobRun>, "get" | "set">;

const maxRecentBytes = 16_777_216;

export function createKnownRuns(): KnownRuns {
  return new BoundedCache<JobRun>("prepared-runs", { maxBytes: maxRecentBytes, bytesOf });
}

export async function loadInputs(
  sql: Database,
  context: RunContext,
  recent: KnownRuns | undefined,
  claims: readonly Claim[],
): Promise<JobInputs> {
  const inputs: JobInputs = { runs: new Map(), plans: new Map(), values: [] };
  const others: Claim[] = [];
  for (const claim of claims) if (!recent || !(await recall(sql, context, recent, claim, inputs))) others.push(claim);
  if (others.length === 0) return inputs;
  for (const run of await listJobRuns(sql, others)) {
    inputs.runs.set(run.id, run);
    inputs.plans.set(run.id, await context.plans.load(sql, run));
    recent?.set(run.id, run);
  }
  const wanted = others.flatMap((claim) =>
    nodesToRead(inputs.plans.get(claim.runId), claim).map((node) => ({ teamId: claim.teamId, runId: claim.runId, node })),
  );
  inputs.values.push(...(await listNodeValues(sql, wanted)));
  return inputs;
}

/** @returns whether memory had everything that the claim needs; if so, it was added to the inputs */
async function recall(sql: Database, context: RunContext, recent: KnownRuns, claim: Claim, inputs: JobInputs): Promise<boolean> {
  const run = recent.get(claim.runId);
  if (run?.teamId !== claim.teamId || !opens(context, run)) return false;
  const known = await rememberedValues(sql, context, claim);
  if (!known || needsRights(nodeAt(known.plan, claim.node))) return false;
  const { layers, traceparent } = known.state;
  inputs.runs.set(run.id, { ...run, layers, traceparent });
  inputs.plans.set(run.id, known.plan);
  inputs.values.push(...known.values);
  return true;
}

function opens({ keyring }: RunContext, { teamId, id, secrets }: JobRun): boolean {
  if (secrets === null) return true;
  try {
    openRunSecrets(keyring, teamId, id, secrets);
    return true;
  } catch {
    return false;
  }
}

/** Rights that a team can be granted and lose: treated as not granted. */
function needsRights(node: PlanNode): boolean {
  const none = { isAllowedHere: true, team: { name: "", isAllowed: false } };
  return nodePlacing(node).network === "host" || (node.task !== undefined && privilegeProblem(node.task, none) !== undefined);
}

function bytesOf({ layers, secrets, workspaces }: JobRun): number {
  return 1000 + 2 * textLengthOf(layers) + (secrets?.length ?? 0) + 500 * workspaces.length;
}
