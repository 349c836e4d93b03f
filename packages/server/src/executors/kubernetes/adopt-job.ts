import type { V1Job, V1Secret } from "@kubernetes/client-node";
import type { Job } from "../../engine/executor.ts";
import { clusterProblem } from "./cluster-problem.ts";
import { settleSecrets } from "./loose-secrets.ts";
import { labelNames, ownerAnnotation, selectorOf, taskRunLabels } from "./object-names.ts";
import { ownerOf, removeJob } from "./remove-job.ts";
import { inBackground, type Runtime } from "./runtime.ts";

/**
 * What earlier attempts of a task run left in the cluster. The newest of those that were lost with their worker is taken up: the
 * Job goes on, and all it has said is read from the beginning. The others are removed, and so are Secrets whose worker died before
 * it had made their Job.
 *
 * The owner is an annotation that is written under the version that was read, so of two workers one gets it; the former owner, if
 * it still lives, sees that it changed and lets go (run-attempt.ts), and removes nothing (remove-job.ts).
 *
 * @returns the name of the Job that was taken up
 */
export async function adoptJob(runtime: Runtime, job: Job): Promise<string | undefined> {
  const left = await listLeft(runtime, job);
  left.sort((one, other) => attemptOf(other) - attemptOf(one));
  let adopted: string | undefined;
  for (const candidate of left) {
    const name = candidate.metadata?.name ?? "";
    if (adopted === undefined && isAdoptable(candidate, job) && (await takeOver(runtime, candidate))) adopted = name;
    else inBackground(runtime, `removing the Job ${name}`, () => removeJob(runtime, name, [ownerOf(candidate)]));
  }
  const labels = taskRunLabels(runtime.settings.instance, job);
  const isGivenUp = (secret: V1Secret): boolean => attemptOf(secret) < job.attempt;
  inBackground(runtime, "looking after Secrets without a Job", () => settleSecrets(runtime, labels, left, isGivenUp));
  return adopted;
}

async function listLeft({ cluster: { batch, namespace }, settings }: Runtime, job: Job): Promise<V1Job[]> {
  const labelSelector = selectorOf(taskRunLabels(settings.instance, job));
  const { items } = await batch.listNamespacedJob({ namespace, labelSelector });
  return items.filter((item) => attemptOf(item) < job.attempt);
}

function attemptOf({ metadata }: V1Job | V1Secret): number {
  return Number(metadata?.labels?.[labelNames.attempt]);
}

function isAdoptable(candidate: V1Job, { attempt, lostAttempts }: Job): boolean {
  const isOver = candidate.status?.conditions?.some(({ type, status }) => (type === "Failed" || type === "Complete") && status === "True");
  return attemptOf(candidate) >= attempt - lostAttempts && candidate.metadata?.deletionTimestamp === undefined && !isOver;
}

async function takeOver({ cluster: { batch, namespace, mergePatch }, settings }: Runtime, { metadata }: V1Job): Promise<boolean> {
  const body = { metadata: { resourceVersion: metadata?.resourceVersion, annotations: { [ownerAnnotation]: settings.owner } } };
  try {
    await batch.patchNamespacedJob({ namespace, name: metadata?.name ?? "", body }, mergePatch);
    return true;
  } catch (error) {
    if ([404, 409].includes(clusterProblem(error).code)) return false;
    throw error;
  }
}
