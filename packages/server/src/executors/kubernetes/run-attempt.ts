import { randomBytes } from "node:crypto";
import { createMasker } from "../../base/secret/mask.ts";
import type { Job, JobHandle, JobOutcome, JobPlace, TakeLines } from "../../engine/executor.ts";
import { ImageRefusal } from "../images/image-rules.ts";
import { checkTask, startDeadline } from "../steps/attempt-state.ts";
import { containerShares } from "../steps/container-shares.ts";
import { failed, invalid, spawnVerdict, stoppedVerdict, type Verdict } from "../steps/outcomes.ts";
import { defaultSidecarReadyMs } from "../steps/sidecar-verdicts.ts";
import { AttemptOutput } from "../steps/step-output.ts";
import { StepProblem } from "../steps/step-problem.ts";
import type { AttemptRun, Ending } from "./attempt-run.ts";
import { attendJob } from "./attend-job.ts";
import { clusterProblem, isPassing } from "./cluster-problem.ts";
import { adoptJob, createJob } from "./create-job.ts";
import { FilesTooLarge, jobManifest, secretFiles } from "./job-manifest.ts";
import { JobState } from "./job-state.ts";
import { attemptLabels, jobName, volumeName } from "./object-names.ts";
import { type AttemptFiles, attemptFiles } from "./pod/step-files.ts";
import { removeJob } from "./remove-job.ts";
import { inBackground, type Runtime } from "./runtime.ts";
import { defaultScratchBytes } from "./settings.ts";

/** Runs one attempt from its Secrets to its outcome. Every failure on the way becomes an outcome. */
export function runAttempt(runtime: Runtime, given: Job, onLines: TakeLines): JobHandle {
  const job = { ...given, limits: containerShares(given).steps };
  const state = new JobState();
  const masker = createMasker(job.secrets);
  const output = new AttemptOutput(masker, job.limits.outputBytes, onLines);
  const run: AttemptRun = { runtime, job, limits: given.limits, state, masker, output, onLines };
  const deadline = (): void => state.halt({ why: "timedout" }, runtime.settings.graceMs);
  const stopDeadline = startDeadline(job.timeoutMs, deadline);
  const outcome = async (): Promise<JobOutcome> => {
    const { verdict, results, place, waits } = await attempt(run).catch((error: unknown) => ({
      ...ending(describeFailure(error, runtime)),
    }));
    stopDeadline();
    state.isOver = true;
    const { message } = verdict;
    const begun = verdict.status === "lost" && { hasBegun: true };
    const more = { ...begun, ...(place && { place: masker.maskValue(place) as JobPlace }), ...(waits && { waits }) };
    return { ...verdict, message: masker.maskText(message), results, isolation: "kubernetes", host: runtime.host, ...more };
  };
  return {
    done: outcome(),
    stop: (why, graceMs) => {
      if (why === "shutdown" && !state.isOver) state.isReleased = true;
      if (why === "shutdown") state.wake();
      else state.halt({ why }, graceMs);
    },
  };
}

function ending(verdict: Verdict): Ending {
  return { verdict, results: [] };
}

async function attempt(run: AttemptRun): Promise<Ending> {
  const { runtime, job, state } = run;
  const problem = checkTask(job, true) ?? missingImage(job) ?? (await missingNetwork(runtime, job));
  if (problem) return ending(problem);
  const own = jobName(job);
  if (runtime.held.has(own)) return ending(failed("ExecutorError", "this attempt is already running here"));
  runtime.held.add(own);
  try {
    const { graceMs, sidecarReadyMs = defaultSidecarReadyMs } = runtime.settings;
    const times = { grace: graceMs / 1000, ready: sidecarReadyMs / 1000 };
    const files = attemptFiles({ ...job, limits: run.limits }, runtime.template.serviceAccountName !== undefined, times);
    // Lets an immediate cancellation take effect: then nothing has been created that would have to be removed.
    await Promise.resolve();
    if (state.cause) return ending(stoppedVerdict(state.cause, undefined, job.timeoutMs));
    const taken = job.attempt > 1 ? await adoptWithRetries(run) : undefined;
    if (taken !== undefined) return await attend(run, taken, files);
    const refused = await make(run, files);
    return refused ? ending(refused) : await attend(run, own, files);
  } catch (error) {
    if (error instanceof StepProblem || error instanceof FilesTooLarge) return ending(invalid("InvalidTask", error.message));
    if (error instanceof ImageRefusal) return ending(failed("ImagePullFailed", error.message));
    throw error;
  } finally {
    runtime.held.delete(own);
  }
}

async function attend(run: AttemptRun, name: string, files: AttemptFiles): Promise<Ending> {
  const { runtime, state } = run;
  runtime.held.add(name);
  try {
    const ended = await attendJob(run, name, files);
    // The next attempt starts at once, and would take it over.
    if (ended.verdict.status === "lost") await removeJob(runtime, name, [runtime.settings.owner]).catch(() => {});
    return ended;
  } finally {
    runtime.held.delete(name);
    if (!state.isReleased)
      inBackground(runtime, `removing the Job ${name}`, async () => {
        await untilShown(runtime, name);
        await removeJob(runtime, name, [runtime.settings.owner], { isLasting: true });
      });
  }
}

/** The maximum time in which a node reports a running container. */
const shownWithinMs = 3_000;

/**
 * Some node agents lose track of a pod that is removed before they have reported its containers, and remove it only in a later round, after
 * a minute or more. So the pod of a task that ended before is removed a moment later.
 */
async function untilShown({ watch }: Runtime, name: string): Promise<void> {
  const isShown = (): boolean => {
    const pod = watch.podOf(name);
    const statuses = pod?.status?.containerStatuses ?? [];
    return pod?.spec?.nodeName === undefined || (statuses.length > 0 && statuses.every(({ state }) => state?.waiting === undefined));
  };
  if (isShown()) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, shownWithinMs);
    const stop = watch.listen(name, () => isShown() && done());
    function done(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}

/** Nothing is started again before it is known what still runs. */
async function adoptWithRetries({ runtime, job, state }: AttemptRun): Promise<string | undefined> {
  for (;;) {
    try {
      return await adoptJob(runtime, job);
    } catch (error) {
      if (!isPassing(clusterProblem(error)) || state.isStopped || state.isReleased) throw error;
    }
    await state.changed(1_000);
  }
}

async function make(run: AttemptRun, { steps, sidecars, files }: AttemptFiles): Promise<Verdict | undefined> {
  const { runtime, job, state, output } = run;
  const { settings, template } = runtime;
  const { secrets, sources } = secretFiles(files, jobName(job), attemptLabels(settings.instance, job));
  const manifest = jobManifest({
    job,
    steps,
    sidecars,
    sources,
    template,
    imageRules: settings.imageRules,
    hasParams: [...files.keys()].some((path) => path.startsWith("params/")),
    instance: settings.instance,
    owner: settings.owner,
    pendingMs: settings.pendingMs,
    helperImage: settings.helperImage,
    helperPullPolicy: settings.helperPullPolicy ?? "IfNotPresent",
    scratchBytes: settings.scratchBytes ?? defaultScratchBytes,
    nonce: randomBytes(8).toString("hex"),
    graceMs: settings.graceMs,
    claimOf: (workspace) => volumeName({ ...workspace, teamId: job.teamId }),
  });
  return createJob(runtime, job, { secrets, manifest }, state, output);
}

/** A pod without its policy could reach everything. */
async function missingNetwork({ policies, settings }: Runtime, job: Job): Promise<Verdict | undefined> {
  if (policies.problemOf(job.network) === undefined || settings.outbound.allowsHostNetwork) return undefined;
  await policies.look();
  const problem = policies.problemOf(job.network);
  if (problem === undefined) return undefined;
  return failed(
    "SandboxUnavailable",
    `its network is "${job.network}", and the cluster has no NetworkPolicy for it: ${problem}. deploy/kubernetes/executor-rbac.yaml grants the rights to create it; ` +
      "MILLRACE_ALLOW_HOST_NETWORK=true would run it with all that the cluster's network reaches",
  );
}

function missingImage(job: Job): Verdict | undefined {
  const without = job.steps.find(({ image }) => !image);
  if (!without) return undefined;
  return invalid(
    "ImageRequired",
    `step "${without.name}" names no image, and in a cluster every step runs in one: give it an image, or set task/default.image`,
  );
}

function describeFailure(error: unknown, { machine }: Runtime): Verdict {
  if (machine.blame(error)) return spawnVerdict(undefined, error as Error);
  const problem = clusterProblem(error);
  if (problem.code !== 0) return failed("ExecutorError", `the cluster refused: ${problem.message}`);
  const cause = error instanceof Error ? error : new Error(String(error));
  return "code" in cause ? failed("ExecutorUnavailable", `the cluster can't be reached: ${cause.message}`) : spawnVerdict(undefined, cause);
}
