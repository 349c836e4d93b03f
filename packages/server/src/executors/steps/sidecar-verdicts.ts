import type { JobSidecar } from "../../core/task/tekton/sidecars/job-sidecars.ts";
import { sidecarStepName } from "../../core/task/tekton/sidecars/sidecar-names.ts";
import { failed, type Verdict } from "./outcomes.ts";
import { StepProblem } from "./step-problem.ts";

/** Words about sidecars that are the same wherever they run. */

/** So long a sidecar may take until it is ready, in ms, beside the first delay of its probe. */
export const defaultSidecarReadyMs = 300_000;

/** @param why to follow "its readiness probe" */
export function notReady(name: string, readyMs: number, why = "did not succeed often enough in a row"): Verdict {
  return failed(
    "SidecarFailed",
    `sidecar "${name}" was not ready within ${readyMs / 1000} s: its readiness probe ${why}; no step was begun`,
  );
}

/** Those that say no more than that it ended. */
const endings = ["ExitCode", "Signal", "CommandNotFound"];

/** How an attempt ends with a sidecar that ended before the first step began; that it has done its work already is no failure. */
export function endBeforeSteps(name: string, { exitCode: _exitCode, signal: _signal, ...verdict }: Verdict): Verdict | undefined {
  if (verdict.status === "succeeded") return undefined;
  const reason = endings.includes(verdict.reason) ? "SidecarFailed" : verdict.reason;
  const message = verdict.message.includes(`sidecar "${name}"`) ? verdict.message : `sidecar "${name}": ${verdict.message}`;
  return { ...verdict, reason, message: `${message}; no step was begun` };
}

/** Its log calls it `sidecar-NAME`, as a step; people call it by its name. */
export function sidecarVerdict(verdict: Verdict, name: string): Verdict {
  return { ...verdict, message: sidecarWords(verdict.message, name) };
}

/** Sidecars are made by the code of steps, whose words these are. */
function sidecarWords(message: string, name: string): string {
  const written = [`step "${sidecarStepName(name)}"`, `step "${name}"`].find((words) => message.includes(words));
  return written === undefined ? message : message.replace(written, () => `sidecar "${name}"`);
}

/** A reference can leave nothing of it. @throws StepProblem */
export function requireImage({ name, image }: Pick<JobSidecar, "name" | "image">): void {
  if (!image) throw new StepProblem(`sidecar "${name}" names no image; a sidecar runs in an image of its own`);
}

/** Does what is done for a step as well. @throws what that throws; a problem names the sidecar, and no step */
export function asSidecar<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StepProblem)) throw error;
    throw new StepProblem(sidecarWords(error.message, name));
  }
}

/** What else went wrong beside the steps. @param problems each a sentence without its end */
export function withProblems(verdict: Verdict, problems: readonly string[]): Verdict {
  return verdict.status === "succeeded" ? verdict : { ...verdict, message: [verdict.message, ...problems].join("; ") };
}

export const endedText = "ended with exit code 0 before the last step was over";
