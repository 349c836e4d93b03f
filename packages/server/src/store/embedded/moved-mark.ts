import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../base/error/start-error.ts";
import { writePrivateFile } from "../../base/file/private-file.ts";

/**
 * The file in the folder of an embedded database whose data was moved to another one. While it exists, nothing starts with that database:
 * two services on two copies would run everything twice.
 */
export function movedMark(folder: string): string {
  return join(folder, "moved.json");
}

/** It is on the disk when this returns. @param to the new location of the data, without a password */
export function markMoved(folder: string, to: string): void {
  writePrivateFile(movedMark(folder), `${JSON.stringify({ to, at: new Date().toISOString() })}\n`);
}

/** @throws StartError when the data of that folder was moved */
export function refuseMoved(folder: string): void {
  const mark = movedMark(folder);
  if (!existsSync(mark)) return;
  const { to, at } = readMark(mark);
  throw new StartError(
    `The data in ${folder} was moved to ${to}${at}: set DATABASE_URL to that database. ` +
      `To use the old copy instead, which has no changes since then, delete ${mark}`,
  );
}

/** An unreadable file counts as a mark all the same. */
function readMark(mark: string): { to: string; at: string } {
  try {
    const { to, at } = JSON.parse(readFileSync(mark, "utf8")) as { to: string; at: string };
    return { to, at: ` on ${at}` };
  } catch {
    return { to: "another database", at: "" };
  }
}
