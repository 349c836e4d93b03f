import { shellProgram } from "../../programs/shell-program.ts";
import type { Launch } from "./level.ts";

/** The first process of every step; it says itself what it does. */
const script = shellProgram("start-step");

export interface LauncherSettings {
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
  return ["/bin/sh", "-c", script, "step", ...limits, ...argv];
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
