import { hasNodeSecrets } from "../../core/parameter/secret-params.ts";
import { type NodeScope, type OwnScope, resolveItem, resolveNodeParams } from "../../core/run/resolve-node.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { ChildStart } from "../../core/task/task-type.ts";
import { type NamedValue, nodeAt, type Plan } from "../../core/workflow/plan.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { RunContext } from "./run-context.ts";
import { loadRunSecrets, nodeSecretOpener, revealLayers } from "./run-secrets.ts";

/**
 * Parameters that a task passes to another run. The core saw masked values; the other run gets the real ones, and stores them as secrets:
 * `secretParams` names them.
 */
export async function revealParams(
  tx: Transaction,
  context: RunContext,
  plan: Plan,
  parent: RunState,
  start: Pick<ChildStart, "taskRunId" | "params" | "node" | "item" | "results" | "loop">,
): Promise<{ params: NamedValue[]; secretParams: Set<string> | undefined }> {
  const secrets = (await loadRunSecrets(tx, context.keyring, parent.teamId, parent.id)) ?? {};
  const node = nodeAt(plan, start.node);
  if (Object.keys(secrets).length === 0 && !hasNodeSecrets(node)) return { params: start.params, secretParams: undefined };
  const scope: NodeScope = {
    plan,
    open: nodeSecretOpener(context.keyring, parent.teamId),
    layers: revealLayers(parent.layers, secrets),
    resultsOf: (index) => start.results.get(index),
    // The masked values were found in the same way: what was not over then has stopped the task.
    endOf: (index) => (start.results.has(index) ? "succeeded" : "skipped"),
  };
  const { taskRunId, item, loop } = start;
  const own: OwnScope = {
    taskRunId,
    name: item === null ? node.name : `${node.name}[${item}]`,
    ...(loop ? { loop } : item !== null && { item: resolveItem(scope, node, taskRunId, item) }),
  };
  const clear = new Map(resolveNodeParams(scope, node, own).params.map(({ name, value }) => [name, value]));
  const params: NamedValue[] = start.params.map(({ name, value }) => ({ name, value: clear.has(name) ? clear.get(name) : value }));
  const secret = start.params.filter(({ name, value }) => clear.has(name) && JSON.stringify(clear.get(name)) !== JSON.stringify(value));
  return { params, secretParams: new Set(secret.map(({ name }) => name)) };
}
