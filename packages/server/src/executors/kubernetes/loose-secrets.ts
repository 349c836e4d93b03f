import type { V1Job, V1Secret } from "@kubernetes/client-node";
import { clusterProblem } from "./cluster-problem.ts";
import { labelNames, selectorOf } from "./object-names.ts";
import type { Runtime } from "./runtime.ts";

/*
 * The Secrets of an attempt are created before its Job, since its pod could not start without them; afterwards the Job becomes their owner.
 * A worker may die before either: then they have no owner.
 */

/** From now on the cluster removes them with the Job, even if the Job is already gone. */
export async function tieSecrets(
  { cluster: { core, namespace, mergePatch } }: Runtime,
  { metadata }: V1Job,
  secrets: readonly V1Secret[],
): Promise<void> {
  const owner = { apiVersion: "batch/v1", kind: "Job", name: metadata?.name ?? "", uid: metadata?.uid ?? "" };
  const body = { metadata: { ownerReferences: [owner] } };
  const tie = (secret: V1Secret): Promise<unknown> =>
    // The attempt may already have ended.
    unlessGone(core.patchNamespacedSecret({ namespace, name: secret.metadata?.name ?? "", body }, mergePatch));
  await Promise.all(secrets.map(tie));
}

export async function removeSecrets({ cluster: { core, namespace } }: Runtime, secrets: readonly V1Secret[]): Promise<void> {
  await Promise.all(secrets.map(({ metadata }) => unlessGone(core.deleteNamespacedSecret({ namespace, name: metadata?.name ?? "" }))));
}

/** Makes the Job of their attempt the owner of Secrets that have none. If there is no Job and none will be created, they are removed. */
export async function settleSecrets(
  runtime: Runtime,
  labels: Record<string, string>,
  jobs: readonly V1Job[],
  isGivenUp: (secret: V1Secret) => boolean,
): Promise<void> {
  const { core, namespace, metadataOnly } = runtime.cluster;
  const { items } = await core.listNamespacedSecret({ namespace, labelSelector: selectorOf(labels) }, metadataOnly);
  for (const secret of items.filter(({ metadata }) => (metadata?.ownerReferences ?? []).length === 0)) {
    const job = jobs.find((one) => isOfOneAttempt(one, secret));
    if (job) await tieSecrets(runtime, job, [secret]);
    else if (isGivenUp(secret)) await removeSecrets(runtime, [secret]);
  }
}

function isOfOneAttempt(job: V1Job, secret: V1Secret): boolean {
  return [labelNames.taskRun, labelNames.attempt].every((name) => {
    const value = job.metadata?.labels?.[name];
    return value !== undefined && value === secret.metadata?.labels?.[name];
  });
}

async function unlessGone(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (clusterProblem(error).code !== 404) throw error;
  });
}
