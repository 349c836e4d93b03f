import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import { stepEnvironment } from "../steps/environment.ts";
import { stepFiles } from "../steps/places.ts";
import { stepCommand } from "../steps/step-command.ts";
import { stepNames } from "../steps/step-names.ts";
import type { View } from "../steps/view.ts";
import { workingDir } from "../steps/working-dir.ts";
import { type LauncherSettings, launcherCommand } from "./launcher.ts";
import type { StepEgress } from "./step-egress.ts";
import { startWithVariables } from "./variable-file.ts";

/** A step that is ready to be launched. */
export interface PreparedStep {
  name: string;
  step: JobStep;
  argv: string[];
  /** For the log: what could not be given to it as it was asked. */
  notes: string[];
}

export type LauncherLimits = Pick<LauncherSettings, "dataBytes" | "processes" | "umask">;

/** Writes script and environment of every step, before the first begins. @throws StepProblem when a step can't run as it is written */
export async function prepareSteps(parts: StepParts): Promise<PreparedStep[]> {
  const names = stepNames(parts.job.steps);
  return Promise.all(parts.job.steps.map((step, index) => prepareStep(parts, step, names[index] ?? "")));
}

/** What all steps of an attempt have in common. */
export interface StepParts {
  job: Job;
  attempt: Attempt;
  view: View;
  limits: LauncherLimits;
  egress: StepEgress | undefined;
}

async function prepareStep({ job, attempt, view, limits, egress }: StepParts, step: JobStep, name: string): Promise<PreparedStep> {
  const { variables, leftOut } = stepEnvironment(job, step, view, egress?.variables);
  const { environment } = stepFiles(name);
  const program = await writeProgram(step, name, attempt, view);
  const start = startWithVariables(variables, { node: view.node, file: `${view.steps}/${environment}` }, program);
  await writeFixed(attempt, "steps", environment, start.text);
  const launcher: LauncherSettings = { ...limits, environmentFile: start.environmentFile, workingDir: workingDir(step, view) };
  const command = launcherCommand(launcher, start.argv);
  const argv = egress === undefined ? command : egress.wrap(command);
  const tooLarge = leftOut.map(
    (label) => `"${label}" is too large for an environment variable; a parameter is in its file in $PARAMS_PATH`,
  );
  return { name, step, argv, notes: [...tooLarge, ...start.notes] };
}

async function writeProgram(step: JobStep, name: string, attempt: Attempt, view: View): Promise<string[]> {
  const { argv, script } = stepCommand(step, name, view);
  if (script !== undefined) await writeFixed(attempt, "steps", stepFiles(name).script, script);
  return argv;
}
