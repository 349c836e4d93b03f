import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "../../folders/attempt-folder.ts";
import { machineProgram, type ProgramArchitecture } from "../../steps/machine-program.ts";
import { imageView } from "../../steps/view.ts";
import { starterArm64 } from "./starter-arm64.ts";
import { starterX64 } from "./starter-x64.ts";

/**
 * The program that a step's container begins with. It makes standard error the pipe that standard output is, as `2>&1` does, and
 * becomes the program of the step. An engine reads the two by two pipes and can't tell what was written first; an image may have no
 * shell to join them, and no libraries. So this is half a kilobyte of machine code without either: `NAME ARGUMENT…` is looked for
 * in PATH and executed as `execvp` does, with the exit codes of a shell where that fails (127: not found; 126: can't be executed).
 */
const codes = { x64: starterX64, arm64: starterArm64 };

/** Where a step sees it. */
export const starterPath = `${imageView.steps}/start`;

/** @param name as an engine says it: `x86_64` or `amd64`, `aarch64` or `arm64`; undefined: there is none for it */
export function starterArchitecture(name: string | undefined): ProgramArchitecture | undefined {
  if (name === "x86_64" || name === "amd64") return "x64";
  return name === "aarch64" || name === "arm64" ? "arm64" : undefined;
}

/** Among the files of the steps, unless it is there: an attempt that was taken up may have none. */
export function writeStarter({ fixed, fixedFiles }: Attempt, architecture: ProgramArchitecture): void {
  const path = join(fixed, "steps", "start");
  if (existsSync(path)) return;
  fixedFiles.push(path);
  // At once: a process that was started meanwhile would have it open for writing, and it could not be executed.
  writeFileSync(path, starterProgram(architecture));
  chmodSync(path, 0o755);
}

export function starterProgram(architecture: ProgramArchitecture): Buffer {
  return machineProgram(architecture, codes[architecture]);
}
