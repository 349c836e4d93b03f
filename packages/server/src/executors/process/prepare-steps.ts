import { isPlainStep, type JobStep, type PlainStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import { copyOutputCommand, outputPaths, ownArchitecture, writeCopyOutput } from "../steps/copy-output.ts";
import {
  settableVariables,
  stepEnvironment,
  stepFiles,
  stepNames,
  stepProgram,
  workingDir,
  writeEnvironment,
} from "../steps/step-command.ts";
import { StepProblem } from "../steps/step-problem.ts";
import type { View } from "../steps/view.ts";
import { type LauncherSettings, launcherCommand } from "./isolation/launcher.ts";
import type { StepEgress } from "./step-egress.ts";

/** A step that is ready to be launched. */
export interface PreparedStep {
  name: string;
  argv: string[];
  /** Mounts of volumes. */
  mounts: JobStep["mounts"];
  /** For the log: what was requested and could not be provided. */
  notes: string[];
}

export type LauncherLimits = Pick<LauncherSettings, "dataBytes" | "processes" | "umask">;

/** Only the service can write to the folder of the step files, so a step can be prepared while others run. */
export interface StepInTurn {
  name: string;
  step: JobStep;
  /** @param filled the step with its values. @throws StepProblem if it can't run as it is written */
  prepare(filled: PlainStep): Promise<PreparedStep>;
}

/** Writes script and environment of every step that waits for no value, before the first one starts. @throws StepProblem */
export async function prepareSteps(parts: StepParts): Promise<StepInTurn[]> {
  const names = stepNames(parts.job.steps);
  return Promise.all(
    parts.job.steps.map(async (step, index) => {
      const name = names[index] ?? "";
      const prepared = isPlainStep(step) ? await prepareStep(parts, step, name) : undefined;
      return { name, step, prepare: async (filled: PlainStep) => prepared ?? prepareStep(parts, filled, name) };
    }),
  );
}

/** What all steps of an attempt have in common. */
interface StepParts {
  job: Job;
  attempt: Attempt;
  view: View;
  limits: LauncherLimits;
  egress: StepEgress | undefined;
}

async function prepareStep(parts: StepParts, step: PlainStep, name: string): Promise<PreparedStep> {
  const { job, view, egress } = parts;
  const { variables, leftOut } = stepEnvironment(job, step, view, egress?.variables);
  const program = await writeProgram(parts, step, name);
  const { argv, notes } = await prepareCommand(parts, step, { name, program, variables });
  return { name, argv, mounts: step.mounts, notes: [...tooLargeNotes(leftOut), ...notes] };
}

/** @param leftOut labels of values that are not in a variable */
export function tooLargeNotes(leftOut: readonly string[]): string[] {
  return leftOut.map((label) => `"${label}" is too large for an environment variable; a parameter is in its file in $PARAMS_PATH`);
}

interface StepStart {
  name: string;
  program: readonly string[];
  variables: ReadonlyMap<string, string>;
}

/** The command that starts an isolated program with these variables. */
export async function prepareCommand(
  { attempt, view, limits, egress }: Omit<StepParts, "job">,
  step: JobStep,
  { name, program, variables }: StepStart,
): Promise<Pick<PreparedStep, "argv" | "notes">> {
  const { environment } = stepFiles(name);
  const file = `${view.steps}/${environment}`;
  const launcherPath = attempt.launcher === undefined ? undefined : `${view.steps}/${attempt.launcher}`;
  const start =
    launcherPath === undefined
      ? startWithVariables(variables, { node: view.node, file }, program)
      : { text: listVariables(variables), environmentFile: file, argv: [...program], notes: [] };
  await writeFixed(attempt, "steps", environment, start.text);
  const { environmentFile } = start;
  const launcher: LauncherSettings = { ...limits, program: launcherPath, environmentFile, workingDir: workingDir(step, view) };
  const command = launcherCommand(launcher, start.argv);
  const argv = egress === undefined ? command : egress.wrap(command);
  return { argv, notes: start.notes };
}

async function writeProgram({ job, attempt, view }: StepParts, step: PlainStep, name: string): Promise<string[]> {
  const { argv, files } = stepProgram(job, step, name, view);
  for (const file of files) await writeFixed(attempt, "steps", file.name, file.text);
  return step.outputFiles ? copying(step, attempt, view, argv) : argv;
}

/** A shell looks up the program, as for other steps. */
function copying(step: PlainStep, attempt: Attempt, view: View, argv: readonly string[]): string[] {
  const architecture = ownArchitecture();
  outputPaths(step);
  if (architecture === undefined)
    throw new StepProblem(`step "${step.name}" can't write its output to a file (stdoutConfig, stderrConfig) on a machine of this kind`);
  writeCopyOutput(attempt, architecture);
  return copyOutputCommand(step, view, false, ["/bin/sh", "-c", 'exec "$@"', "step", ...argv]);
}

/** The launcher sets the first by itself; the second would name a folder that the step has never been in. */
const ofFolder = new Set(["PWD", "OLDPWD"]);

/** The file for a launcher that is not a shell. Names and values contain no NUL. */
function listVariables(variables: ReadonlyMap<string, string>): string {
  const pairs = [...settableVariables(variables)].filter(([name]) => !ofFolder.has(name));
  return pairs.map(([name, value]) => `${name}=${value}\0`).join("");
}

/**
 * Used if the launcher is a shell. Some variables can't be set by a shell: Tekton and Kubernetes allow names with dots and dashes, and a
 * shell reserves `UID` or `IFS` for itself. `env` would set them from its arguments, but everyone on the machine can read these, and the
 * values may be secrets. So for the rare step that has such a variable, a small Node program reads all of them from the step's file and
 * starts the step. It leaves signals to the step, and ends with the step's exit code.
 */
const starter = `
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { constants } = require("node:os");
const [file, program, ...args] = process.argv.slice(1);
const pairs = readFileSync(file, "utf8").split("\\0").slice(0, -1).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
spawn(program, args, { stdio: "inherit", env: Object.fromEntries(pairs) })
  .on("error", (error) => {
    const isMissing = error.code === "ENOENT";
    console.error(program + ": " + (isMissing ? "not found" : error.message));
    process.exit(isMissing ? 127 : 126);
  })
  .on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
`;

interface StartWithVariables {
  /** Content of the file of the step's variables. */
  text: string;
  /** What the launcher reads as a shell script; undefined: nothing. */
  environmentFile: string | undefined;
  argv: string[];
  /** For the log: variables that can't be set. */
  notes: string[];
}

/** @param place paths of Node and the file as the step sees them */
function startWithVariables(
  variables: ReadonlyMap<string, string>,
  { node, file }: { node: string | undefined; file: string },
  program: readonly string[],
): StartWithVariables {
  const { file: text, oddOnes } = writeEnvironment(variables);
  if (oddOnes.size === 0) return { text, environmentFile: file, argv: [...program], notes: [] };
  if (node === undefined) {
    const notes = [...oddOnes.keys()].map((name) => `the variable "${name}" is not set: no shell can set it, and there is no Node here`);
    return { text, environmentFile: file, argv: [...program], notes };
  }
  // Names and values contain no NUL.
  const pairs = [...settableVariables(variables)].map(([name, value]) => `${name}=${value}\0`);
  return { text: pairs.join(""), environmentFile: undefined, argv: [node, "-e", starter, "--", file, ...program], notes: [] };
}
