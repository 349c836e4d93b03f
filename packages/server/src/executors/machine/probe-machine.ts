import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type MachineFault, machineFaultOf } from "../../base/error/machine-fault.ts";
import { runTool } from "../folders/run-tool.ts";
import { shellProgram } from "../programs/shell-program.ts";
import { findShortage, type NeededFolder } from "./disk-space.ts";
import type { KnownFault } from "./known-fault.ts";
import { openFilesLimit } from "./machine-memory.ts";

/** How many files a few attempts have open, with their folders, pipes and programs. */
const descriptors = 64;

/** Checks what costs almost nothing: the space on the disks, and whether they can be written to. */
export async function lookAtDisks(folders: readonly NeededFolder[]): Promise<KnownFault | undefined> {
  for (const folder of folders) {
    const shortage = await named(folder.path, () => findShortage(folder));
    if (shortage) return shortage;
  }
  return undefined;
}

/** Tests everything that an attempt needs from the machine. */
export async function probeMachine(folders: readonly NeededFolder[]): Promise<KnownFault | undefined> {
  const shortage = await lookAtDisks(folders);
  if (shortage) return shortage;
  for (const { path } of folders) {
    const refused = await named(path, () => tryWriting(path));
    if (refused) return refused;
  }
  return named("this machine", async () => {
    tryDescriptors();
    await tryProcesses();
    return undefined;
  });
}

/** Several at the same time: the sandbox of a step needs some before the step has its own. */
async function tryProcesses(): Promise<void> {
  const { code, stderr, error } = await runTool("sh", ["-c", shellProgram("try-processes")]);
  if (error) throw error;
  if (code !== 0) throw Object.assign(new Error(stderr.trim()), { code: "EAGAIN", syscall: "spawn sh" });
}

/** @param path that the test is about */
async function named(path: string, look: () => Promise<KnownFault | undefined>): Promise<KnownFault | undefined> {
  try {
    return await look();
  } catch (error) {
    const fault = machineFaultOf(error);
    // Other problems of a folder are reported by the attempt that meets them.
    return fault && knownFault(fault, path, error);
  }
}

async function tryWriting(folder: string): Promise<undefined> {
  const path = join(folder, `.probe-${randomBytes(6).toString("hex")}`);
  const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (file === undefined) return;
  try {
    await file.writeFile(Buffer.alloc(4096, 1));
    await file.sync();
  } finally {
    await file.close();
    await unlink(path);
  }
}

function tryDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < descriptors) opened.push(openSync("/dev/null", "r"));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** @param where the error occurred: a path, or other words */
export function knownFault({ code, words }: MachineFault, where: string, error: unknown): KnownFault {
  const message = error instanceof Error ? error.message : String(error);
  switch (code) {
    case "EMFILE":
      return { code, words, detail: `too many open files: the limit of this process is ${openFilesLimit ?? "not known"}` };
    case "EROFS":
      return { code, words, detail: `the disk of ${where} is read-only` };
    default:
      return { code, words, detail: `${words}: ${where}: ${message}` };
  }
}
