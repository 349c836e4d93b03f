import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCallFilter } from "./call-filter.ts";

/** The filter of system calls, as bubblewrap reads it for each step. */
export interface CallFilter {
  /** Undefined where this machine has no such thing. */
  file: string | undefined;
  /** For people. */
  detail: string;
}

const actionsFile = "/proc/sys/kernel/seccomp/actions_avail";

/**
 * @param folder closed to others, or at least not theirs to change
 * @param kernelActions what the kernel lets a filter do; empty: it has none
 */
export async function writeCallFilter(folder: string, architecture: string = process.arch, kernelActions?: string): Promise<CallFilter> {
  const program = createCallFilter(architecture);
  if (program === undefined) return without(`there is no filter for processors of the kind ${architecture}`);
  const actions = kernelActions ?? (await readFile(actionsFile, "utf8").catch(() => ""));
  if (!/\bkill_process\b/.test(actions)) return without("this kernel has no seccomp filters");
  const file = join(folder, "call-filter");
  await writeFile(file, program, { mode: 0o600 });
  return { file, detail: "system calls filtered" };
}

function without(reason: string): CallFilter {
  return { file: undefined, detail: `system calls are not filtered: ${reason}` };
}
