import type { V1Job, V1Secret } from "@kubernetes/client-node";
import { settleSecrets } from "./loose-secrets.ts";
import { instanceLabels } from "./object-names.ts";
import { ownerOf, removeJob } from "./remove-job.ts";
import type { Runtime } from "./runtime.ts";
import { defaultOrphanMs, defaultOutageMs } from "./settings.ts";

/**
 * Removes what dead workers left and nobody took up: Jobs that are over (their deadline sees to it that each is one day) and
 * Secrets whose Job was never made. Any worker does it, so it does not matter which one is gone.
 */
export async function sweepLeftovers(runtime: Runtime, now: number): Promise<void> {
  const { settings, watch } = runtime;
  const orphanMs = settings.orphanMs ?? defaultOrphanMs;
  for (const job of watch.jobs()) {
    const name = job.metadata?.name ?? "";
    if (!runtime.held.has(name) && isLongOver(job, now - orphanMs)) await removeJob(runtime, name, [ownerOf(job)]);
  }
  // For as long as this a living worker may still try to make their Job.
  const triedMs = Math.max(settings.pendingMs, settings.outageMs ?? defaultOutageMs);
  const isGivenUp = ({ metadata }: V1Secret): boolean => new Date(metadata?.creationTimestamp ?? now).getTime() < now - orphanMs - triedMs;
  await settleSecrets(runtime, instanceLabels(settings.instance), watch.jobs(), isGivenUp);
}

function isLongOver({ status }: V1Job, before: number): boolean {
  const end = status?.conditions?.find(({ type, status: is }) => (type === "Failed" || type === "Complete") && is === "True");
  return end?.lastTransitionTime !== undefined && new Date(end.lastTransitionTime).getTime() < before;
}
