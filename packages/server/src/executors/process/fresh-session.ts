import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../folders/run-tool.ts";
import { machineProgram, type ProgramArchitecture } from "../steps/machine-program.ts";
import { freshSessionArm64, freshSessionX64 } from "./fresh-session-code.ts";
import type { Launch, LaunchRequest, Level } from "./level.ts";

/**
 * The program that a step begins with. A process inherits the session keyring of the one that started it, down to the service's
 * own: systemd, a login or a mount may have put tickets and keys there, and every step would have them; where system calls are
 * filtered, it could still read their names. So this one becomes the program that its arguments name, in a new session keyring. No
 * program of every machine does that, so it is a quarter of a kilobyte of machine code.
 *
 * Where the kernel has no key store, or refuses it (a container's filter), no step can use it either. Any other refusal ends it
 * with exit code 125.
 */
const codes: Readonly<Partial<Record<string, string>>> = { x64: freshSessionX64, arm64: freshSessionArm64 };

/**
 * @param folder nobody else's to change @returns its path; undefined: there is none for this processor, or nothing is executed in
 *   that folder
 */
export async function writeFreshSession(folder: string, architecture: string = process.arch): Promise<string | undefined> {
  const code = codes[architecture];
  if (code === undefined) return undefined;
  const path = join(folder, "fresh-session");
  // At once: a process that was started meanwhile would have it open for writing, and it could not be executed.
  writeFileSync(path, machineProgram(architecture as ProgramArchitecture, code));
  chmodSync(path, 0o755);
  return (await runTool(path, ["/bin/true"])).code === 0 ? path : undefined;
}

/** @param program undefined: steps have the session keyring of the service, which is reported */
export function inFreshSession(level: Level, program: string | undefined): Level {
  // Without a sandbox a step is the service.
  if (level.name === "none") return level;
  if (program === undefined)
    return level.filtersCalls ? level : { ...level, detail: `${level.detail}; the session keyring of the service is open to steps` };
  const launch = (request: LaunchRequest): Launch => {
    const { file, args, ...rest } = level.launch(request);
    return { ...rest, file: program, args: [file, ...args] };
  };
  return { ...level, launch };
}
