import type { JobStep } from "../../core/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import { settableVariables, stepEnvironment, writeEnvironment } from "../steps/environment.ts";
import { stepFiles } from "../steps/places.ts";
import { stepCommand } from "../steps/step-command.ts";
import { stepNames } from "../steps/step-names.ts";
import type { View } from "../steps/view.ts";
import { workingDir } from "../steps/working-dir.ts";
import { type LauncherSettings, launcherCommand } from "./launcher.ts";
import type { StepEgress } from "./step-egress.ts";
import { startWithVariables, writeVariableFile } from "./variable-file.ts";

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
  const { file, oddOnes } = writeEnvironment(variables);
  const program = await writeProgram(step, name, attempt, view);
  const { environment } = stepFiles(name);
  const wrap = (argv: string[]): string[] => (egress === undefined ? argv : egress.wrap(argv));
  const notes = leftOut.map((label) => `"${label}" is too large for an environment variable; a parameter is in its file in $PARAMS_PATH`);
  const environmentFile = `${view.steps}/${environment}`;
  const launcher: LauncherSettings = { ...limits, environmentFile, workingDir: workingDir(step, view) };
  if (oddOnes.size === 0 || view.node === undefined) {
    await writeFixed(attempt, "steps", environment, file);
    const unset = [...oddOnes.keys()].map((variable) => `the variable "${variable}" can't be set here: no shell can, and there is no Node`);
    return { name, step, argv: wrap(launcherCommand(launcher, program)), notes: [...notes, ...unset] };
  }
  await writeFixed(attempt, "steps", environment, writeVariableFile(settableVariables(variables)));
  const argv = wrap(launcherCommand({ ...launcher, environmentFile: undefined }, startWithVariables(view.node, environmentFile, program)));
  return { name, step, argv, notes };
}

async function writeProgram(step: JobStep, name: string, attempt: Attempt, view: View): Promise<string[]> {
  const { argv, script } = stepCommand(step, name, view);
  if (script !== undefined) await writeFixed(attempt, "steps", stepFiles(name).script, script);
  return argv;
}
