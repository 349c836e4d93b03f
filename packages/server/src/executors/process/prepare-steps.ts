import type { JobStep } from "../../core/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "./attempt-folder.ts";
import { parameterText, stepEnvironment, writeEnvironment } from "./environment.ts";
import { type LauncherSettings, launcherCommand } from "./launcher.ts";
import type { View } from "./level.ts";
import { fileName, stepFiles } from "./places.ts";
import { readScript } from "./step-program.ts";

/** A step that is ready to be launched. */
export interface PreparedStep {
  name: string;
  step: JobStep;
  argv: string[];
  /** For the log: what could not be given to it as it was asked. */
  notes: string[];
}

export type LauncherLimits = Pick<LauncherSettings, "dataBytes" | "processes">;

/** Names of parameters become names of files; a name that can be none has its variable only. */
export async function writeParameters(job: Job, attempt: Attempt): Promise<void> {
  const files = job.params.filter(({ name }) => isFileName(name));
  await Promise.all(files.map(({ name, value }) => writeFixed(attempt, "params", name, parameterText(value))));
}

export function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && Buffer.byteLength(name) <= 255;
}

/** Writes script and environment of every step, before the first begins. @throws StepProblem when a step can't run as it is written */
export async function prepareSteps(job: Job, attempt: Attempt, view: View, limits: LauncherLimits): Promise<PreparedStep[]> {
  const names = stepNames(job.steps);
  return Promise.all(job.steps.map((step, index) => prepareStep(job, step, names[index] ?? "", attempt, view, limits)));
}

export class StepProblem extends Error {}

async function prepareStep(
  job: Job,
  step: JobStep,
  name: string,
  attempt: Attempt,
  view: View,
  limits: LauncherLimits,
): Promise<PreparedStep> {
  const { variables, leftOut } = stepEnvironment(job, step, view);
  const { file, viaEnv } = writeEnvironment(variables);
  const program = await writeProgram(step, name, attempt, view);
  const { environment } = stepFiles(name);
  await writeFixed(attempt, "steps", environment, file);
  const launcher: LauncherSettings = { ...limits, environmentFile: `${view.steps}/${environment}`, workingDir: workingDir(step, view) };
  const argv = launcherCommand(launcher, viaEnv.length > 0 ? ["env", "--", ...viaEnv, ...program] : program);
  const notes = leftOut.map((label) => `"${label}" is too large for an environment variable; a parameter is in its file in $PARAMS_PATH`);
  return { name, step, argv, notes };
}

async function writeProgram(step: JobStep, name: string, attempt: Attempt, view: View): Promise<string[]> {
  const args = (step.args ?? []).map((text) => text.replaceAll("\0", ""));
  if (step.script !== undefined && step.script !== "") {
    const script = readScript(step.script);
    if ("problem" in script) throw new StepProblem(`the script of step "${name}" can't run: ${script.problem}`);
    await writeFixed(attempt, "steps", stepFiles(name).script, script.text);
    return [...script.interpreter, `${view.steps}/${stepFiles(name).script}`, ...args];
  }
  const command = (step.command ?? []).map((text) => text.replaceAll("\0", ""));
  if ((command[0] ?? "") === "") throw new StepProblem(`step "${name}" has neither a script nor a command, so there is nothing to run`);
  return [...command, ...args];
}

/** Relative folders lie in the working folder of the attempt. */
function workingDir({ workingDir }: JobStep, view: View): string {
  if (workingDir === undefined || workingDir === "") return view.work;
  const clean = workingDir.replaceAll("\0", "");
  return clean.startsWith("/") ? clean : `${view.work}/${clean}`;
}

/** Steps without a name are called as Tekton calls them; names that would share a file get their place added. */
function stepNames(steps: readonly JobStep[]): string[] {
  const taken = new Set<string>();
  return steps.map((step, index) => {
    const wanted = step.name === "" ? `unnamed-${index}` : step.name;
    const name = taken.has(fileName(wanted)) ? `${wanted}-${index}` : wanted;
    taken.add(fileName(name));
    return name;
  });
}
