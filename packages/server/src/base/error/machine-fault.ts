/**
 * What the operating system says when the machine is in the way, and not what was to run on it: no task has failed by that. EAGAIN
 * is one only where a process was to be started; of a file or a socket it says that nothing is there yet.
 */
export interface MachineFault {
  code: string;
  /** For everyone, so it names no folder and no number of this machine. */
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

/** What programs of the system say, in English. */
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

/** @returns undefined: the error says nothing against the machine */
export function machineFaultOf(error: unknown): MachineFault | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < deepest; cause = cause.cause, depth++) {
    const { code = "", syscall = "" } = cause as NodeJS.ErrnoException;
    const text = words[code];
    if (text !== undefined && (code !== "EAGAIN" || syscall.startsWith("spawn"))) return { code, words: text };
  }
  return undefined;
}

/** For a look that takes most errors for an answer: one that the machine is to blame for is none. */
export function throwIfMachineFault(error: unknown): void {
  if (machineFaultOf(error)) throw error;
}

/** The error of a program of the system that has said why it ended; never of what a step wrote, which may say anything. */
export function errorOfTool(what: string, complaint: string): Error {
  const code = Object.keys(texts).find((name) => complaint.trimEnd().endsWith(texts[name] ?? ""));
  return Object.assign(new Error(`${what}: ${complaint.trim()}`), code === undefined ? {} : { code, syscall: "spawn" });
}

/** Whether it is about the room on a disk, which a task may have taken itself. */
export function isAboutSpace({ code }: MachineFault): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}
