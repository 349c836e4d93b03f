import type { Attempt } from "../../folders/attempt-folder.ts";
import { writeProgram } from "../../steps/copy-output.ts";
import { machineProgram, type ProgramArchitecture } from "../../steps/machine-program.ts";
import { imageView } from "../../steps/view.ts";
import { joinArm64, startArm64 } from "./starter-arm64.ts";
import { joinX64, startX64 } from "./starter-x64.ts";

/**
 * The program that a step's container starts with. It makes standard error the same pipe as standard output, as `2>&1` does, and then
 * executes the program of the step. An engine reads the two through two pipes and can't tell what was written first; an image may have no
 * shell to merge them, and no libraries. So this is half a kilobyte of machine code that needs neither: it looks up `NAME ARGUMENT…` in
 * PATH and executes it as `execvp` does, with the exit codes of a shell if that fails (127: not found; 126: can't be executed).
 */
const codes = { x64: { join: joinX64, start: startX64 }, arm64: { join: joinArm64, start: startArm64 } };

/** Its path in the container of a step. */
export const starterPath = `${imageView.steps}/start`;
/** The same without merging: for a step whose streams are copied to files, and merged afterwards. */
export const plainStarterPath = `${imageView.steps}/start-plain`;

/** @param name as an engine reports it: `x86_64` or `amd64`, `aarch64` or `arm64`; undefined: there is none for it */
export function starterArchitecture(name: string | undefined): ProgramArchitecture | undefined {
  if (name === "x86_64" || name === "amd64") return "x64";
  return name === "aarch64" || name === "arm64" ? "arm64" : undefined;
}

/** Adds it to the files of the steps, if it is missing there: an attempt that was taken over may have none. */
export function writeStarter(attempt: Attempt, architecture: ProgramArchitecture): void {
  writeProgram(attempt, "start", starterProgram(architecture));
}

export function writePlainStarter(attempt: Attempt, architecture: ProgramArchitecture): void {
  writeProgram(attempt, "start-plain", starterProgram(architecture, false));
}

export function starterProgram(architecture: ProgramArchitecture, joins = true): Buffer {
  const { join, start } = codes[architecture];
  return machineProgram(architecture, joins ? join + start : start);
}
