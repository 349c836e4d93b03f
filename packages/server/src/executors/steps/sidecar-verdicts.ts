import { sidecarStepName } from "../../core/task/tekton/flat-step.ts";
import type { JobSidecar } from "../../core/task/tekton/sidecars/job-sidecars.ts";
import { failed, type Verdict } from "./outcomes.ts";
import { StepProblem } from "./step-problem.ts";

/** Messages about sidecars that are the same for all executors. */

/** How long a sidecar may take to become ready, in ms, in addition to the initial delay of its probe. */
export const defaultSidecarReadyMs = 300_000;

/** @param why to follow "its readiness probe" */
export function notReady(name: string, readyMs: number, why = "did not succeed often enough in a row"): Verdict {
  return failed(
    "SidecarFailed",
    `sidecar "${name}" was not ready within ${readyMs / 1000} s: its readiness probe ${why}; no step was started`,
  );
}

/** Reasons that only say that it ended. */
const endings = ["ExitCode", "Signal", "CommandNotFound"];

/**
 * How an attempt ends if a sidecar ended before the first step started; a sidecar that has finished its work successfully is not a failure.
 */
export function endBeforeSteps(name: string, { exitCode: _exitCode, signal: _signal, ...verdict }: Verdict): Verdict | undefined {
  if (verdict.status === "succeeded") return undefined;
  const reason = endings.includes(verdict.reason) ? "SidecarFailed" : verdict.reason;
  const message = verdict.message.includes(`sidecar "${name}"`) ? verdict.message : `sidecar "${name}": ${verdict.message}`;
  return { ...verdict, reason, message: `${message}; no step was started` };
}

/** In logs it is named `sidecar-NAME`, like a step; in messages it has its own name. */
export function sidecarVerdict(verdict: Verdict, name: string): Verdict {
  return { ...verdict, message: sidecarWords(verdict.message, name) };
}

/** Sidecars are prepared by the code for steps, whose messages say "step". */
function sidecarWords(message: string, name: string): string {
  const written = [`step "${sidecarStepName(name)}"`, `step "${name}"`].find((words) => message.includes(words));
  return written === undefined ? message : message.replace(written, () => `sidecar "${name}"`);
}

/** A reference can resolve to an empty name. @throws StepProblem */
export function requireImage({ name, image }: Pick<JobSidecar, "name" | "image">): void {
  if (!image) throw new StepProblem(`sidecar "${name}" names no image; a sidecar runs in an image of its own`);
}

/** Runs code that is written for steps. @throws what that throws; a StepProblem names the sidecar instead of a step */
export function asSidecar<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StepProblem)) throw error;
    throw new StepProblem(sidecarWords(error.message, name));
  }
}

/** Adds failures of sidecars to the message. @param problems each a sentence without its full stop */
export function withProblems(verdict: Verdict, problems: readonly string[]): Verdict {
  return verdict.status === "succeeded" ? verdict : { ...verdict, message: [verdict.message, ...problems].join("; ") };
}

export const endedText = "ended with exit code 0 before the last step had ended";
