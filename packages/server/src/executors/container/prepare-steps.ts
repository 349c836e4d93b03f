import { sidecarStepName } from "../../core/task/tekton/flat-step.ts";
import { fillStep, isPlainStep, type JobStep, type PlainStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import { outputPaths } from "../steps/copy-output.ts";
import { asSidecar, requireImage } from "../steps/sidecar-verdicts.ts";
import { type StepFile, stepEnvironment, stepNames, stepProgram, workingDir } from "../steps/step-command.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { imageView, sidecarView, type View } from "../steps/view.ts";
import { sidecarPlace } from "./labels.ts";

/** A step that is ready to run as a container. */
export interface PreparedStep {
  name: string;
  /** The index of the step, from 0; for a sidecar, its number in labels.ts. */
  index: number;
  step: JobStep;
  image: string;
  /** Empty: the image's own program runs. */
  argv: string[];
  imageArgs: string[];
  /** In the folder of the step files. */
  files: StepFile[];
  /** `NAME=value` */
  environment: string[];
  /** Empty: that of the image. */
  workingDir: string;
  /** For the log: what was requested and could not be provided. */
  notes: string[];
}

/** Linux's limits for one argument, and for all arguments and the environment together. */
const maxArgumentBytes = 131_000;
const maxBatchBytes = 1_900_000;

/**
 * Placeholders of values that a step waits for are replaced once the values are known; other mistakes are found before.
 * @throws StepProblem if a step can't run as it is written
 */
export function prepareSteps(job: Job): PreparedStep[] {
  const names = stepNames(job.steps);
  return job.steps.map((step, index) =>
    prepareStep(
      job,
      step,
      fillStep(step, () => "value"),
      { name: names[index] ?? "", index },
    ),
  );
}

/** @throws StepProblem if a sidecar can't run as it is written */
export function prepareSidecars(job: Job): PreparedStep[] {
  const { steps, sidecars = [] } = job;
  const names = stepNames([...steps, ...sidecars.map(({ name }) => ({ name: sidecarStepName(name) }))]).slice(steps.length);
  return sidecars.map((sidecar, index) => {
    requireImage(sidecar);
    const place = { name: names[index] ?? "", index: sidecarPlace(index) };
    const prepared = asSidecar(sidecar.name, () => prepareStep(job, sidecar, sidecar, place, sidecarView));
    return { ...prepared, workingDir: sidecar.workingDir ? prepared.workingDir : "" };
  });
}

/** The same step with its values. @throws StepProblem */
export function fillPrepared(job: Job, prepared: PreparedStep, filled: PlainStep): PreparedStep {
  return isPlainStep(prepared.step) ? prepared : prepareStep(job, prepared.step, filled, prepared);
}

/** Writes the scripts of all steps before the first one starts. */
export async function writeScripts(attempt: Attempt, steps: readonly PreparedStep[]): Promise<void> {
  // For functions in one language the runner is the same file.
  const files = new Map(steps.flatMap((step) => step.files.map(({ name, text }) => [name, text])));
  await Promise.all([...files].map(([name, text]) => writeFixed(attempt, "steps", name, text)));
}

interface Place {
  name: string;
  index: number;
}

function prepareStep(job: Job, step: JobStep, filled: PlainStep, { name, index }: Place, view: View = imageView): PreparedStep {
  if (!step.image) {
    throw new StepProblem(
      `step "${name}" names no image, and this worker runs steps in containers; name one, or set task/default.image for all steps without`,
    );
  }
  const { argv, files, imageArgs = [] } = stepProgram(job, filled, name, view);
  outputPaths(step);
  const { variables, leftOut } = stepEnvironment(job, filled, view);
  const environment = [...variables].filter(([key]) => /^[^=\0]+$/.test(key)).map(([key, value]) => `${key}=${value}`);
  checkLength(name, [...argv, ...imageArgs], environment);
  return {
    name,
    index,
    step,
    image: step.image,
    argv,
    imageArgs,
    files,
    environment,
    workingDir: workingDir(step, view),
    notes: leftOut.map((label) => `"${label}" is too large for an environment variable; a parameter is in its file in $PARAMS_PATH`),
  };
}

/** Reported before the start: a container's runtime would only say that something was too long. */
function checkLength(name: string, argv: readonly string[], environment: readonly string[]): void {
  const sizes = argv.map((text) => Buffer.byteLength(text) + 1);
  const together = [...sizes, ...environment.map((text) => Buffer.byteLength(text) + 1)].reduce((sum, size) => sum + size, 0);
  if (together > maxBatchBytes || sizes.some((size) => size > maxArgumentBytes))
    throw new StepProblem(`step "${name}" can't be started: its command and environment are too long; pass large values as files`);
}
