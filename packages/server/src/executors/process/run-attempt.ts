import { createMasker } from "../../base/secret/mask.ts";
import type { Job, JobHandle, JobOutcome, TakeLines } from "../../engine/executor.ts";
import { type AttemptState, checkTask, haltAttempt, mountsAnything, startDeadline } from "../steps/attempt-state.ts";
import { failed, invalid, spawnVerdict, stoppedVerdict, type Verdict } from "../steps/outcomes.ts";
import { volumesProblem } from "../steps/places.ts";
import { AttemptOutput } from "../steps/step-output.ts";
import { homeFolder, workspacesProblem } from "../steps/view.ts";
import type { Level } from "./isolation/level.ts";
import type { KeptSandboxes } from "./kept/kept-sandboxes.ts";
import { keptKey } from "./kept/kept-sandboxes.ts";
import { runKept } from "./kept/run-kept.ts";
import { runSteps } from "./run-steps.ts";
import type { Runtime } from "./runtime.ts";
import type { StepProcess } from "./step-process.ts";

type Ending = { verdict: Verdict; results: JobOutcome["results"] };

/**
 * Runs one attempt from its folder to its outcome. Every failure on the way becomes an outcome.
 * @param kept sandboxes that may serve it; absent: it gets a fresh one
 */
export function runAttempt(runtime: Runtime, job: Job, onLines: TakeLines, kept?: KeptSandboxes): JobHandle {
  const state: AttemptState<StepProcess> = { isOver: false };
  const masker = createMasker(job.secrets);
  const output = new AttemptOutput(masker, job.limits.outputBytes, onLines);

  const run = async (): Promise<JobOutcome> => {
    const stopDeadline = startDeadline(job.timeoutMs, () => haltAttempt(state, { why: "timedout" }, runtime.settings.graceMs));
    try {
      const { verdict, results } = await attempt();
      const begun = verdict.status === "lost" && { hasBegun: state.hasBegun === true };
      return {
        ...verdict,
        ...begun,
        message: masker.maskText(verdict.message),
        results,
        isolation: runtime.level.name,
        host: runtime.host,
      };
    } finally {
      stopDeadline();
      state.isOver = true;
    }
  };
  const attempt = async (): Promise<Ending> => {
    const problem = checkJob(job, runtime.level);
    if (problem) return { verdict: problem, results: [] };
    try {
      const key = job.keep && kept?.isOpen ? keptKey(job, runtime.level, masker) : undefined;
      if (kept && key !== undefined) return await runKept({ runtime, job, state, masker, output, onLines, kept }, key);
      const ahead = runtime.ahead?.take(job);
      const folder = ahead?.attempt ?? runtime.slots.take(job);
      try {
        await runtime.slots.waitForUser(folder);
        if (state.cause) return { verdict: stoppedVerdict(state.cause, undefined, job.timeoutMs), results: [] };
        return await runSteps({ runtime, job, attempt: folder, ahead, state, masker, output });
      } finally {
        await ahead?.end();
        await runtime.slots.release(folder);
      }
    } catch (error) {
      runtime.machine.blame(error);
      return { verdict: describeFailure(error), results: [] };
    }
  };
  return {
    done: run(),
    stop: (why, graceMs) => haltAttempt(state, { why }, graceMs),
  };
}

/** @returns why this executor can't run the job as it is described, or undefined */
function checkJob(job: Job, level: Level): Verdict | undefined {
  const withImage = job.steps.find((step) => step.image !== undefined && step.image !== "");
  if (withImage) return invalid("ImageRequired", imageMessage(withImage.name, withImage.image ?? ""));
  const [sidecar] = job.sidecars ?? [];
  if (sidecar) return invalid("InvalidTask", sidecarMessage(sidecar.name));
  const problem = checkTask(job, level.hasOwnFiles);
  if (problem) return problem;
  if (!level.hasOwnFiles) return job.volumes ? noVolumes(job.volumes, level) : undefined;
  if (!mountsAnything(job)) return undefined;
  const place = workspacesProblem(job.workspaces, [...level.shownFolders, homeFolder]) ?? volumesProblem(job, level.shownFolders);
  return place === undefined ? undefined : invalid("InvalidTask", place);
}

function noVolumes(volumes: NonNullable<Job["volumes"]>, { name }: Level): Verdict {
  const names = volumes.map((volume) => volume.name).join(", ");
  return failed(
    "SandboxUnavailable",
    `the task mounts volumes (${names}), and this worker isolates steps by "${name}", where nothing can be mounted; ` +
      "install bubblewrap or start the service as root with util-linux (docs/sandbox.md), or run the task in an image",
  );
}

function sidecarMessage(name: string): string {
  return `the sidecar "${name}" runs in an image beside the steps, and this worker runs steps as plain processes; use a worker with a container executor`;
}

function imageMessage(step: string, image: string): string {
  return (
    `step "${step}" needs the image ${image}, and this worker runs steps as plain processes. ` +
    "Use a worker with a container executor, or give the task the annotation millrace.dev/executor: process if its steps also run without the image"
  );
}

function describeFailure(error: unknown): Verdict {
  const cause = error instanceof Error ? error : new Error(String(error));
  if ((cause as NodeJS.ErrnoException).code === "EEXIST") return failed("ExecutorError", "this attempt is already running here");
  return spawnVerdict(undefined, cause);
}
