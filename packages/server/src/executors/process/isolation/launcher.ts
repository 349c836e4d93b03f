import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../../folders/run-tool.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import { ownArchitecture } from "../../steps/copy-output.ts";
import { machineProgram } from "../../steps/machine-program.ts";
import type { Launch } from "./level.ts";
import { startStepCode } from "./start-step-code.ts";

/** The first process of every step, where the program below does not run; it says itself what it does. */
const script = shellProgram("start-step");

/**
 * The same as machine code without a library (programs/start-step.c): a shell takes the processor longer to start than all else that the
 * launcher does.
 * @param folder nobody else's to change, on the disk of the attempts
 * @returns undefined: it is not made for this processor, or nothing is executed on that disk
 */
export async function findLauncherProgram(folder: string): Promise<Buffer | undefined> {
  const architecture = ownArchitecture();
  if (architecture === undefined) return undefined;
  const program = machineProgram(architecture, startStepCode[architecture]);
  const path = join(folder, "start-step");
  // At once: a process that was started meanwhile would have it open for writing, and it could not be executed.
  writeFileSync(path, program);
  chmodSync(path, 0o755);
  return (await runTool(path, ["-", "0", "0", "/", "022", "/bin/true"])).code === 0 ? program : undefined;
}

export interface LauncherSettings {
  /** Absolute path of the program, as the step sees it; undefined: a shell is in its place. */
  program: string | undefined;
  /** Absolute path of the environment file, as the step sees it. */
  environmentFile: string | undefined;
  /** Largest data segment of one process in bytes, where no control group limits memory. */
  dataBytes: number | undefined;
  /** Most processes of the user, where no control group limits them. */
  processes: number | undefined;
  workingDir: string;
  umask: "022" | "077";
}

export function launcherCommand(settings: LauncherSettings, argv: readonly string[]): string[] {
  const dataKib = settings.dataBytes === undefined ? 0 : Math.ceil(settings.dataBytes / 1024);
  const limits = [settings.environmentFile ?? "-", String(dataKib), String(settings.processes ?? 0), settings.workingDir, settings.umask];
  const launcher = settings.program === undefined ? ["/bin/sh", "-c", script, "step"] : [settings.program];
  return [...launcher, ...limits, ...argv];
}

/** The same with less weight for the processor; nothing but the program's number of the process stays in between. */
export function nicely(launch: Launch, niceness: number): Launch {
  return niceness === 0 ? launch : { ...launch, file: "nice", args: ["-n", String(niceness), launch.file, ...launch.args] };
}

const joinScript = shellProgram("join-groups");

/** Joins the control groups while it still may, then goes on as the given program. @param shell its absolute path */
export function joinCommand(shell: string, files: readonly string[], argv: readonly string[]): string[] {
  return files.length === 0 ? [...argv] : [shell, "-c", joinScript, "join", ...files, "--", ...argv];
}
