import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { StartError } from "../../base/error/start-error.ts";

/**
 * The server's socket is in a new folder that only its user may enter. The path must be short (a limit of the kernel, 104 bytes on some),
 * and PostgreSQL reads a comma in it as a separator, so the data folder itself is only the last choice.
 */
export function* makeRuntimeFolders(fallback: string): Generator<string> {
  const parents = new Set([tmpdir(), "/tmp", "/var/tmp", `/run/user/${process.getuid?.() ?? 0}`, fallback]);
  for (const parent of parents) {
    if (isUsable(join(parent, "millrace-XXXXXX", socketName))) yield* makeOne(parent);
  }
}

export const socketName = ".s.PGSQL.5432";

function isUsable(socket: string): boolean {
  return socket.startsWith("/") && Buffer.byteLength(socket) <= 100 && !/[,"'\\\n]/.test(socket);
}

function* makeOne(parent: string): Generator<string> {
  let folder: string;
  try {
    folder = mkdtempSync(join(parent, "millrace-"));
  } catch {
    return;
  }
  yield folder;
}

export function noRuntimeFolder(): StartError {
  return new StartError(
    `No temporary folder can be used for the database's socket (tried ${tmpdir()}, /tmp and /var/tmp): set TMPDIR to a short, writable path`,
  );
}

/** Stores where the socket is, for other programs of this data folder and for the next start, which removes what a crash left. */
export function recordRuntimeFolder(record: string, folder: string): void {
  writeFileSync(record, `${folder}\n`, { mode: 0o600 });
}

export function readRuntimeFolder(record: string): string | undefined {
  return existsSync(record) ? readFileSync(record, "utf8").trim() : undefined;
}

/** Removes the folder of an earlier start. Call it only while holding the lock of the data folder, which proves that it is not in use. */
export function removeStaleRuntimeFolder(record: string, current: string): void {
  const folder = readRuntimeFolder(record);
  if (folder === undefined || folder === current || !/^millrace-[A-Za-z0-9]{6}$/.test(basename(folder))) return;
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) rmSync(folder, { recursive: true, force: true });
}
