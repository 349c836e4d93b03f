import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Attempt } from "../folders/attempt-folder.ts";
import { copyOutputCode } from "./copy-output-code.ts";
import { machineProgram, type ProgramArchitecture } from "./machine-program.ts";
import { StepProblem } from "./step-problem.ts";
import type { View } from "./view.ts";

/**
 * Copies of what a step writes, in files that the step names (Tekton's `stdoutConfig` and `stderrConfig`). The service never writes to a
 * path of a step. So a program of ours runs around that of the step, with its rights and in its file system (programs/copy-output.c). It is
 * machine code without a library, since an image may have neither a shell nor libraries.
 */
const fileName = "copy-output";

export function copyOutputProgram(architecture: ProgramArchitecture): Buffer {
  return machineProgram(architecture, copyOutputCode[architecture]);
}

/** Adds it to the files of the steps, if it is missing. */
export function writeCopyOutput(attempt: Attempt, architecture: ProgramArchitecture): void {
  writeProgram(attempt, fileName, copyOutputProgram(architecture));
}

export function writeProgram({ fixed, fixedFiles }: Pick<Attempt, "fixed" | "fixedFiles">, name: string, program: Buffer): void {
  const path = join(fixed, "steps", name);
  if (existsSync(path)) return;
  fixedFiles.push(path);
  // Synchronously: a process that was started in the meantime would have it open for writing, and then it could not be executed.
  writeFileSync(path, program);
  chmodSync(path, 0o755);
}

/**
 * @param forwards only the first process gets signals that are for the step
 * @param program path of a program, and its arguments
 * @throws StepProblem if a file with that name can't be written
 */
export function copyOutputCommand(
  step: Pick<JobStep, "name" | "outputFiles">,
  view: Pick<View, "steps">,
  forwards: boolean,
  program: readonly string[],
): string[] {
  const { stdout = "", stderr = "" } = outputPaths(step);
  return [`${view.steps}/${fileName}`, forwards ? "1" : "0", stdout, stderr, ...program];
}

/** @throws StepProblem */
export function outputPaths({ name, outputFiles = {} }: Pick<JobStep, "name" | "outputFiles">): NonNullable<JobStep["outputFiles"]> {
  for (const [stream, path] of Object.entries(outputFiles)) {
    const fault = path === "" ? "is empty" : path.includes("\0") ? "has a NUL" : path.length > 4_000 ? "is too long" : undefined;
    if (fault) throw new StepProblem(`step "${name}" can't write its output to a file: the path of ${stream}Config ${fault}`);
  }
  return outputFiles;
}

/** @returns undefined if there is no such program for it */
export function ownArchitecture(): ProgramArchitecture | undefined {
  return process.arch === "x64" || process.arch === "arm64" ? process.arch : undefined;
}
