import type { V1Job, V1Secret } from "@kubernetes/client-node";
import type { Job } from "../../engine/executor.ts";
import { failed, invalid, type Verdict } from "../steps/outcomes.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import { type ClusterProblem, clusterProblem, isPassing } from "./cluster-problem.ts";
import type { JobState } from "./job-state.ts";
import { removeSecrets, tieSecrets } from "./loose-secrets.ts";
import { ownerOf } from "./remove-job.ts";
import { inBackground, type Runtime } from "./runtime.ts";
import { defaultOutageMs } from "./settings.ts";
import { ensureClaims } from "./workspace-claims.ts";

const firstPauseMs = 200;
const longestPauseMs = 5_000;

/**
 * Makes the Secrets, then the Job, then ties them together so that the cluster removes them at once. A cluster that can't be
 * reached, or a quota that is used up, is tried again for as long as such a thing may last. A call whose answer got lost may have
 * worked: what is there under our name and is ours is the same thing.
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
    // Who lets go leaves them to the next attempt, since a Job whose making was not answered may need them.
    if (state.isStopped) forgetSecrets(runtime, objects.secrets);
    if (state.isStopped || state.isLetGo) return undefined;
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

/** Without a Job that owns them nobody else would, for a long time. */
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
  if (isQuota) return failed("QuotaExceeded", `a quota of the cluster keeps the task out: ${message}`);
  if (code === 422) return invalid("InvalidTask", `the cluster rejects the task as written: ${message}`);
  if (code === 413 || /too (large|long)/i.test(message)) return invalid("InvalidTask", `the task is too large for the cluster: ${message}`);
  if (isPassing(problem)) return failed("ExecutorUnavailable", `the cluster can't be reached: ${message}`);
  if (code === 404) return failed("ExecutorUnavailable", `the namespace of the cluster is not there: ${message}`);
  return failed("ExecutorError", `the cluster refused the task: ${message}`);
}
