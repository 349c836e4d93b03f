import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Something outside the program prevents the start: a setting, the database, the data folder. The message is one line for the operator:
 * what is wrong, with which value, and what to do. It is shown without a stack.
 */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message.replace(/\s*\n\s*/g, " "), options);
    this.name = "StartError";
  }
}

/** Faults of the file system, or of a process limit, in words with a remedy. */
interface Fault {
  words: string;
  remedy: string;
}

const elsewhere = "or set MILLRACE_DATA_DIR to another folder";
const readOnly: Fault = { words: "its file system is read-only", remedy: `Mount it writable, ${elsewhere}` };
const notAllowed: Fault = {
  words: "this user has no permission to use it",
  remedy: `Start Millrace as the user it belongs to, ${elsewhere}`,
};
const full: Fault = { words: "the disk is full", remedy: `Free some space there, ${elsewhere}` };

const faults: Readonly<Record<string, Fault>> = {
  EROFS: readOnly,
  EACCES: notAllowed,
  EPERM: notAllowed,
  ENOSPC: full,
  EDQUOT: { ...full, words: "the disk quota is used up" },
  ENOENT: { words: "its path cannot be created", remedy: "Set MILLRACE_DATA_DIR to a folder that can be written" },
  ENOTDIR: { words: "a part of its path is not a folder", remedy: "Set MILLRACE_DATA_DIR to a folder that can be written" },
  EMFILE: { words: "this process has reached its limit of open files", remedy: "Raise its limit, for example with: ulimit -n 4096" },
  ENFILE: { words: "this machine has too many files open", remedy: "Close other programs, or raise fs.file-max" },
};

const missing = new Set(["ENOENT", "ENOTDIR"]);
const needsNoPath = new Set(["EMFILE", "ENFILE", "ENOSPC", "EDQUOT"]);

/** @param what failed, as the beginning of the sentence: "The data folder /x cannot be made" */
export function faultOf(error: unknown, what: string): StartError {
  const { message } = error as NodeJS.ErrnoException;
  const code = codeOf(error as NodeJS.ErrnoException);
  const fault = faults[code ?? ""];
  const text = fault ? `${what}: ${fault.words} (${code}). ${fault.remedy}` : `${what} (${code ?? message})`;
  return new StartError(text, { cause: error });
}

/** The last resort of a start: a system error that no other code has put into words. @returns undefined: it is no system error */
export function explainFault(error: unknown): StartError | undefined {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !(code in faults)) return undefined;
  if (path === undefined) return needsNoPath.has(code) ? faultOf(error, `The start failed at ${syscall}`) : undefined;
  // A missing file of our own is a bug, but a folder that can't be created is not.
  return missing.has(code) && syscall !== "mkdir" ? undefined : faultOf(error, `${path} cannot be used`);
}

/** Node reports ENOENT for a folder to be created on a read-only file system, or below one that this user can't write. */
function codeOf({ code, path, syscall }: NodeJS.ErrnoException): string | undefined {
  if (code !== "ENOENT" || syscall !== "mkdir" || path === undefined) return code;
  let above = dirname(path);
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
    return code;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
