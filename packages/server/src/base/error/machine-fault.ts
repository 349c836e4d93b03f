/**
 * Errors of the operating system that are caused by the machine and not by what was to run on it, so the task has not failed. EAGAIN is one
 * only when a process was to be started; for a file or a socket it means that no data is available yet.
 */
export interface MachineFault {
  code: string;
  /** Worded for all users, so it contains no path and no number of this machine. */
  words: string;
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: "the disk of the worker is full",
  EDQUOT: "the disk quota of the worker is used up",
  EROFS: "the disk of the worker is read-only",
  EIO: "the disk of the worker does not work",
  EMFILE: "the worker has too many files open",
  ENFILE: "the machine of the worker has too many files open",
  EAGAIN: "the machine of the worker can't start another process",
  ENOMEM: "the machine of the worker has no memory left",
  SPAWNER_ENDED: "the process that starts the steps of the worker has ended",
};

/** What programs of the system print, in English. */
const texts: Readonly<Record<string, string>> = {
  ENOSPC: "No space left on device",
  EDQUOT: "Disk quota exceeded",
  EROFS: "Read-only file system",
  EIO: "Input/output error",
  EMFILE: "Too many open files",
  ENFILE: "Too many open files in system",
  EAGAIN: "Resource temporarily unavailable",
  ENOMEM: "Cannot allocate memory",
};

const deepest = 4;

/** @returns undefined: the error is not caused by the machine */
export function machineFaultOf(error: unknown): MachineFault | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < deepest; cause = cause.cause, depth++) {
    const { code = "", syscall = "" } = cause as NodeJS.ErrnoException;
    const text = words[code];
    if (text !== undefined && (code !== "EAGAIN" || syscall.startsWith("spawn"))) return { code, words: text };
  }
  return undefined;
}

/** For checks that treat most errors as a result: an error caused by the machine is no result. */
export function throwIfMachineFault(error: unknown): void {
  if (machineFaultOf(error)) throw error;
}

/** For the error that a program of the system printed when it ended; never for the output of a step, which may contain anything. */
export function errorOfTool(what: string, complaint: string): Error {
  const code = Object.keys(texts).find((name) => complaint.trimEnd().endsWith(texts[name] ?? ""));
  return Object.assign(new Error(`${what}: ${complaint.trim()}`), code === undefined ? {} : { code, syscall: "spawn" });
}

/** Whether it is about disk space, which a task may have used up itself. */
export function isAboutSpace({ code }: MachineFault): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}
