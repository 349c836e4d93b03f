import type { V1Job, V1Secret } from "@kubernetes/client-node";
import type { Job } from "../../engine/executor.ts";
import { failed, invalid, type Verdict } from "../steps/outcomes.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import { type ClusterProblem, clusterProblem, isPassing } from "./cluster-problem.ts";
import type { JobState } from "./job-state.ts";
import { removeSecrets, settleSecrets, tieSecrets } from "./loose-secrets.ts";
import { labelNames, ownerAnnotation, selectorOf, taskRunLabels } from "./object-names.ts";
import { ownerOf, removeJob } from "./remove-job.ts";
import { inBackground, type Runtime } from "./runtime.ts";
import { defaultOutageMs } from "./settings.ts";
import { ensureClaims } from "./workspace-claims.ts";

const firstPauseMs = 200;
const longestPauseMs = 5_000;

/**
 * Creates the Secrets, then the Job, then makes the Job their owner so that the cluster removes them together. If the cluster is
 * unreachable or a quota is used up, this is retried for as long as that may last. A call whose response got lost may have succeeded: if an
 * object with our name exists and is ours, it is the same one.
 *
 * @returns why there is no Job; undefined: there is one
 */
export async function createJob(
  runtime: Runtime,
  job: Job,
  objects: { secrets: V1Secret[]; manifest: V1Job },
  state: JobState,
  output: AttemptOutput,
): Promise<Verdict | undefined> {
  const { settings } = runtime;
  const startedAt = performance.now();
  let hasSaid = false;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    // If this attempt gives up, it leaves them to the next one: a Job may exist whose creation got no response, and it may need them.
    if (state.isStopped) forgetSecrets(runtime, objects.secrets);
    if (state.isStopped || state.isReleased) return undefined;
    const problem = await create(runtime, job, objects);
    if (problem === undefined) return undefined;
    if (problem === "taken") return failed("ExecutorError", "this attempt is already running in the cluster, for another worker");
    const isQuota = isQuotaProblem(problem);
    const patienceMs = isQuota ? settings.pendingMs : isPassing(problem) ? (settings.outageMs ?? defaultOutageMs) : 0;
    if (performance.now() - startedAt >= patienceMs) {
      forgetSecrets(runtime, objects.secrets);
      return refusal(problem, isQuota);
    }
    if (!hasSaid) output.say(job.steps[0]?.name ?? "", `waits for the cluster: ${problem.message}`);
    hasSaid = true;
    await state.changed(pauseMs);
  }
}

async function create(
  runtime: Runtime,
  job: Job,
  { secrets, manifest }: { secrets: V1Secret[]; manifest: V1Job },
): Promise<ClusterProblem | "taken" | undefined> {
  const { core, batch, namespace } = runtime.cluster;
  try {
    await ensureClaims(runtime, job);
    await Promise.all(secrets.map((body) => unlessThere(core.createNamespacedSecret({ namespace, body }))));
    const made = await batch.createNamespacedJob({ namespace, body: manifest }).catch((error: unknown) => {
      if (clusterProblem(error).reason !== "AlreadyExists") throw error;
      return batch.readNamespacedJob({ namespace, name: manifest.metadata?.name ?? "" });
    });
    if (ownerOf(made) !== runtime.settings.owner) return "taken";
    inBackground(runtime, `tying Secrets to the Job ${made.metadata?.name}`, () => tieSecrets(runtime, made, secrets));
    return undefined;
  } catch (error) {
    return clusterProblem(error);
  }
}

/** Without a Job that owns them they would otherwise stay for a long time. */
function forgetSecrets(runtime: Runtime, secrets: readonly V1Secret[]): void {
  inBackground(runtime, "removing the Secrets of a Job that was not made", () => removeSecrets(runtime, secrets));
}

async function unlessThere(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (clusterProblem(error).reason !== "AlreadyExists") throw error;
  });
}

export function isQuotaProblem({ message }: Pick<ClusterProblem, "message">): boolean {
  return /exceeded quota|insufficient quota/i.test(message);
}

function refusal(problem: ClusterProblem, isQuota: boolean): Verdict {
  const { code, message } = problem;
  if (isQuota) return failed("QuotaExceeded", `a quota of the cluster prevents the task: ${message}`);
  if (code === 422) return invalid("InvalidTask", `the cluster rejects the task as written: ${message}`);
  if (code === 413 || /too (large|long)/i.test(message)) return invalid("InvalidTask", `the task is too large for the cluster: ${message}`);
  if (isPassing(problem)) return failed("ExecutorUnavailable", `the cluster can't be reached: ${message}`);
  if (code === 404) return failed("ExecutorUnavailable", `the namespace of the cluster does not exist: ${message}`);
  return failed("ExecutorError", `the cluster refused the task: ${message}`);
}

/**
 * What earlier attempts of a task run left in the cluster. The newest of those that were lost with their worker is taken over: the Job
 * continues, and all its output is read from the beginning. The others are removed, and so are Secrets whose worker died before it had
 * created their Job.
 *
 * The owner is an annotation that is written on condition of the version that was read, so only one of two workers gets it. The former
 * owner, if it is still alive, sees the change, lets go (run-attempt.ts), and removes nothing (remove-job.ts).
 *
 * @returns the name of the Job that was taken over
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
