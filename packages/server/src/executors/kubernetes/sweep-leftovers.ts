import type { V1Job } from "@kubernetes/client-node";
import { clusterProblem } from "./cluster-problem.ts";
import { instanceLabels } from "./object-names.ts";
import { ownerOf, removeJob } from "./remove-job.ts";
import type { Runtime } from "./runtime.ts";

/** Nobody took it up for this long after its end, so nobody will. */
const orphanMs = 600_000;

/**
 * Removes what dead workers left and nobody took up: Jobs that are over (their deadline sees to it that each is one day) and Secrets whose Job was never
 * made. Any worker does it, so it does not matter which one is gone.
 */
export async function sweepLeftovers(runtime: Runtime, now: number): Promise<void> {
  for (const job of runtime.watch.jobs()) {
    const name = job.metadata?.name ?? "";
    if (!runtime.held.has(name) && isLongOver(job, now)) await removeJob(runtime, name, [ownerOf(job)]);
  }
  await sweepSecrets(runtime, now);
}

function isLongOver({ status }: V1Job, now: number): boolean {
  const end = status?.conditions?.find(({ type, status: is }) => (type === "Failed" || type === "Complete") && is === "True");
  return end?.lastTransitionTime !== undefined && now - new Date(end.lastTransitionTime).getTime() > orphanMs;
}

async function sweepSecrets({ cluster: { core, namespace }, settings }: Runtime, now: number): Promise<void> {
  const labelSelector = Object.entries(instanceLabels(settings.instance))
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  const { items } = await core.listNamespacedSecret({ namespace, labelSelector });
  for (const { metadata } of items) {
    const ageMs = now - new Date(metadata?.creationTimestamp ?? now).getTime();
    if ((metadata?.ownerReferences ?? []).length > 0 || ageMs < orphanMs) continue;
    await core.deleteNamespacedSecret({ namespace, name: metadata?.name ?? "" }).catch((error: unknown) => {
      if (clusterProblem(error).code !== 404) throw error;
    });
  }
}
