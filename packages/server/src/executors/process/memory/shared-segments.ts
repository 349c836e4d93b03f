import { readFile } from "node:fs/promises";
import { runTool } from "../../folders/run-tool.ts";

/**
 * Memory of System V segments that no process is attached to: no list of a process shows it, and it stays when all of them have ended.
 * The kernel lists the segments of the IPC namespace of the reader.
 */
const list = "/proc/sysvipc/shm";

/**
 * Of the IPC namespace of a process. Asks a program of the system, so not something to do all the time.
 * @param isRoot whether this process may enter any namespace; otherwise it enters the user namespace first, which it owns
 * @returns undefined: it can't be known
 */
export async function readNamespaceSegments(pid: number, isRoot: boolean): Promise<number | undefined> {
  const user = isRoot ? [] : ["--user", "--preserve-credentials"];
  const { code, stdout } = await runTool("nsenter", ["--target", String(pid), ...user, "--ipc", "--", "cat", list]);
  return code === 0 ? countDetachedBytes(stdout) : undefined;
}

/** Of the namespace that the service is in. @param uid of the user whose segments count */
export async function readUserSegments(uid: number): Promise<number | undefined> {
  const text = await readFile(list, "latin1").catch(() => undefined);
  return text === undefined ? undefined : countDetachedBytes(text, uid);
}

/** @param text a table whose first line names the columns; `rss` and `swap` are bytes that are there, `size` is what was asked for */
export function countDetachedBytes(text: string, uid?: number): number {
  const [head = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  const read = (row: string[], name: string): number => Number(row[head.indexOf(name)] ?? 0);
  return rows
    .filter((row) => read(row, "nattch") === 0 && (uid === undefined || read(row, "cuid") === uid || read(row, "uid") === uid))
    .reduce((sum, row) => sum + read(row, "rss") + read(row, "swap"), 0);
}
