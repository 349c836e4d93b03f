import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../../folders/run-tool.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import { ownArchitecture } from "../../steps/copy-output.ts";
import { machineProgram } from "../../steps/machine-program.ts";
import type { Launch } from "./level.ts";
import { startStepCode } from "./start-step-code.ts";

/** The first process of every step, where the program below does not run; its own comments explain it. */
const script = shellProgram("start-step");

/**
 * The same as machine code without a library (programs/start-step.c): starting a shell takes the processor longer than everything else that
 * the launcher does.
 * @param folder writable only for the service, on the disk of the attempts
 * @returns undefined: there is none for this processor, or programs on that disk can't be executed
 */
export async function findLauncherProgram(folder: string): Promise<Buffer | undefined> {
  const architecture = ownArchitecture();
  if (architecture === undefined) return undefined;
  const program = machineProgram(architecture, startStepCode[architecture]);
  const path = join(folder, "start-step");
  // Synchronously: a process that was started in the meantime would have it open for writing, and then it could not be executed.
  writeFileSync(path, program);
  chmodSync(path, 0o755);
  return (await runTool(path, ["-", "0", "0", "/", "022", "/bin/true"])).code === 0 ? program : undefined;
}

export interface LauncherSettings {
  /** Absolute path of the program in the sandbox; undefined: a shell is used instead. */
  program: string | undefined;
  /** Absolute path of the environment file in the sandbox. */
  environmentFile: string | undefined;
  /** Maximum data segment of one process in bytes, if no control group limits memory. */
  dataBytes: number | undefined;
  /** Maximum number of processes of the user, if no control group limits them. */
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

/** The same with a lower processor priority; only programs that keep the process id come in between. */
export function nicely(launch: Launch, niceness: number): Launch {
  return niceness === 0 ? launch : { ...launch, file: "nice", args: ["-n", String(niceness), launch.file, ...launch.args] };
}

const joinScript = shellProgram("join-groups");

/** Joins the control groups while that is still allowed, then executes the given program. @param shell its absolute path */
export function joinCommand(shell: string, files: readonly string[], argv: readonly string[]): string[] {
  return files.length === 0 ? [...argv] : [shell, "-c", joinScript, "join", ...files, "--", ...argv];
}
