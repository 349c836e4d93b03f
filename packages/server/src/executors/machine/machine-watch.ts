import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type MachineFault, machineFaultOf } from "../../base/error/machine-fault.ts";
import type { Log } from "../../base/process/log.ts";
import { runTool } from "../folders/run-tool.ts";
import { shellProgram } from "../programs/shell-program.ts";
import { findShortage, type NeededFolder } from "./disk-space.ts";
import type { KnownFault } from "./known-fault.ts";
import { openFilesLimit } from "./machine-memory.ts";

export interface MachineWatchSettings {
  log: Pick<Log, "info" | "warn">;
  /** Pause between two checks, in ms. */
  lookEveryMs?: number | undefined;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

const defaultLookEveryMs = 2_000;
const longestPauseMs = 60_000;

/**
 * Whether this machine can run attempts now. States: `sound`; `faulty`: it takes none, and everything that an attempt needs is tested every
 * few seconds. It becomes faulty by an error of the machine that the service met while it prepared, ran or ended an attempt, or by a check
 * of the disks. A check that finds nothing makes it sound again. After an error it stays faulty for a while, and longer each time the error
 * soon comes back: the cause of a fault may disappear with the attempts that met it, and each of them costs a task one of the few losses
 * that it may have in a row.
 */
export class MachineWatch {
  readonly #settings: MachineWatchSettings;
  readonly #clock: () => number;
  readonly #lookEveryMs: number;
  readonly #timer: NodeJS.Timeout;
  #folders: readonly NeededFolder[] = [];
  #fault: KnownFault | undefined;
  #faultyUntil = 0;
  #pauseMs = 0;
  #looking: Promise<void> | undefined;

  constructor(settings: MachineWatchSettings) {
    this.#settings = settings;
    this.#clock = settings.clock ?? (() => performance.now());
    this.#lookEveryMs = settings.lookEveryMs ?? defaultLookEveryMs;
    this.#timer = setInterval(() => void this.look(), this.#lookEveryMs);
    this.#timer.unref();
  }

  /** Undefined: no fault is known. */
  get fault(): KnownFault | undefined {
    return this.#fault;
  }

  /** Sets the folders that attempts need from now on. */
  needs(folders: readonly NeededFolder[]): void {
    this.#folders = folders;
  }

  /** @returns the machine's part in an error; undefined if it has none */
  blame(error: unknown): MachineFault | undefined {
    const fault = machineFaultOf(error);
    const isNew = fault !== undefined && this.#fault === undefined;
    if (fault) this.#fall(knownFault(fault, "this machine", error));
    // A check may find out more than the error says.
    if (isNew) void this.look();
    return fault;
  }

  /** Tests everything now. */
  async confirm(): Promise<KnownFault | undefined> {
    const fault = await probeMachine(this.#folders);
    if (fault) this.#fall(fault);
    return fault;
  }

  /** Checks the current state; never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error) => this.#settings.log.warn({ err: error }, "the machine could not be checked"))
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const found = await (this.#fault ? probeMachine(this.#folders) : probeDisks(this.#folders));
    const now = this.#clock();
    if (found) this.#tell(found);
    else if (now >= this.#faultyUntil) this.#tell(undefined);
    if (this.#fault === undefined && now > this.#faultyUntil + longestPauseMs) this.#pauseMs = 0;
  }

  #fall(fault: KnownFault): void {
    // Many attempts meet the same fault at the same time; only a fault after the machine was sound again counts as another one.
    if (this.#fault === undefined) this.#pauseMs = Math.min(longestPauseMs, Math.max(this.#lookEveryMs, 2 * this.#pauseMs));
    this.#faultyUntil = this.#clock() + this.#pauseMs;
    this.#tell(fault);
  }

  #tell(fault: KnownFault | undefined): void {
    const before = this.#fault;
    this.#fault = fault;
    const { log } = this.#settings;
    if (fault !== undefined && fault.words !== before?.words)
      log.warn({ problem: fault.detail }, "this worker accepts no tasks for now; it checks again every few seconds");
    if (fault === undefined && before !== undefined) log.info({}, "the machine works again; this worker accepts tasks");
  }
}

/** How many files a few attempts have open, with their folders, pipes and programs. */
const descriptors = 64;

/** Checks what costs almost nothing: the space on the disks, and whether they can be written to. */
async function probeDisks(folders: readonly NeededFolder[]): Promise<KnownFault | undefined> {
  for (const folder of folders) {
    const shortage = await named(folder.path, () => findShortage(folder));
    if (shortage) return shortage;
  }
  return undefined;
}

/** Tests everything that an attempt needs from the machine. */
async function probeMachine(folders: readonly NeededFolder[]): Promise<KnownFault | undefined> {
  const shortage = await probeDisks(folders);
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
