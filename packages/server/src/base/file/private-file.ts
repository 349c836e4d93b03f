import { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { StartError } from "../error/start-error.ts";

/** Writes a file that only its owner may read (0600), completely or not at all; an existing file is replaced. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // An existing file may be a link, or readable by others, and would stay so.
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flush: true, flag: "wx" });
  renameSync(draft, file);
}

/**
 * What is wrong with the permissions of a file of secrets, or of a folder with such files, and how to correct it. Undefined: nothing, or it
 * does not exist. Others may pass through a folder (as root they have to), but only its owner may list it. A file of another owner may be
 * readable by its group, because this process may read it that way.
 */
export function privacyFault(path: string, what: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  const isFolder = found.isDirectory();
  const mode = found.mode & 0o777;
  const isOwn = found.uid === process.getuid?.();
  const open = mode & (isFolder ? 0o066 : isOwn ? 0o077 : 0o037);
  if (open === 0) return undefined;
  const who = [open & 0o070 && "its group", open & 0o007 && "every user of this machine"].filter(Boolean).join(" and ");
  const can = open & 0o022 ? "change" : isFolder ? "list" : "read";
  const remedy = isFolder ? `chmod go-rw ${path}` : isOwn ? `chmod 600 ${path}` : `chmod g-wx,o= ${path}`;
  return `${what} ${path} has the mode ${mode.toString(8).padStart(4, "0")}: ${who} can ${can} it. Correct it with: ${remedy}`;
}

/**
 * For a data folder that was found by default, such as `.millrace` in the current folder: another user of the machine may have put it
 * there, who then knows the encryption key, and whose links a start as root would follow.
 * @throws StartError
 */
export function refuseForeignFolder(folder: string): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  const other = [ownerOf(lstatSync, folder), ownerOf(statSync, folder)].find((uid) => uid !== undefined && uid !== own);
  if (other === undefined) return;
  throw new StartError(
    `The data folder ${folder} belongs to another user (uid ${other}), who could read and change everything in it. ` +
      `Start Millrace in another folder, or set MILLRACE_DATA_DIR=${folder} if you trust that user`,
  );
}

/** Undefined: it does not exist, or can't be accessed, which the start reports itself. */
function ownerOf(look: typeof lstatSync | typeof statSync, folder: string): number | undefined {
  try {
    return look(folder).uid;
  } catch {
    return undefined;
  }
}
