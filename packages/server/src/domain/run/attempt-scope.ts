import { isFinal } from "@millrace/contract/status.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { readRound } from "../../core/run/loops/loop-scope.ts";
import { type NodeScope, type OwnScope, referredNodes, resolveItemList } from "../../core/run/resolve-node.ts";
import type { Layers } from "../../core/run/run-state.ts";
import { nodeAt, type Plan, type PlanNode } from "../../core/workflow/plan.ts";
import type { NodeValues } from "../../store/run/job-inputs.ts";
import type { Claim } from "../../store/worker/workers.ts";
import { type RunSecrets, revealLayers } from "./run-layers.ts";
import { nodeSecretOpener } from "./run-secrets.ts";

/** The scope in which the parameters of a claimed attempt are resolved, with its secrets in clear, for the program that runs it. */

export interface AttemptInputs {
  teamId: string;
  layers: Layers;
  plan: Plan;
  node: PlanNode;
  /** Secrets of the run, in clear. */
  secrets: RunSecrets;
  /** Of its run alone: those of the nodes that `nodesToRead` names. */
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
 * Which item of a list this is, or which round of a loop. The stored list has its secrets masked; where there are some it is resolved
 * once more. Results of a round are masked for good.
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

/** What the task declares, and beside it the node. */
export function declaredResults(node: PlanNode): { name: string; type?: string; value?: unknown }[] {
  const declared = (node.task?.spec.results ?? []) as { name: string; type?: string; value?: unknown }[];
  const names = new Set(declared.map((result) => result.name));
  return [...declared, ...node.results.filter((result) => !names.has(result.name))];
}
