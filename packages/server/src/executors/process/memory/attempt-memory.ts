import { readFile } from "node:fs/promises";
import type { LimitBreach } from "../../folders/limit-watch.ts";
import { inMebibytes } from "../../folders/measure-tree.ts";
import { measureUnlinked, type UnlinkedFiles } from "../../folders/open-files.ts";
import type { MachineMemory } from "../../machine/machine-memory.ts";

/**
 * Memory of one attempt where no control group counts it. It has three parts:
 *
 * - what its processes have mapped, which the kernel counts for each;
 * - files in memory that nobody has to have mapped: read from the descriptors and mappings of the processes, and from the list of segments;
 * - what can't be read (a descriptor under way in a socket, a mapping that only root may follow): all that the machine's memory in
 *   files has grown by since the attempt began, beyond what any attempt is known to have.
 *
 * Memory of the kernel itself (buffers of sockets and pipes) is in none of them: `MemoryGuard` keeps the machine from running out of it.
 */
export interface AttemptMemorySettings {
  limitBytes: number;
  /** Processes of the running step; none: it has not begun. */
  findProcesses(): Promise<number[]>;
  /** Where the kernel describes our ends of sockets of the attempt. */
  describeSockets?(): readonly string[];
  /** What the processes of the running step have mapped, in bytes; those that have left its tree may be missing. */
  countResident(): Promise<number>;
  /** Segments that no process is attached to, in bytes; undefined: they can't be known. */
  readSegments(pids: readonly number[]): Promise<number | undefined>;
  readMachine(): Promise<MachineMemory | undefined>;
  /** In files in memory, of all attempts of this executor, as far as known. */
  knownFileBytes(): number;
}

/** What an attempt uses, as it was last seen. */
export interface MemoryUse {
  residentBytes: number;
  fileBytes: number;
  /** Up to so much more, where it can't be read. */
  hiddenBytes: number;
  /** Open descriptors and mappings of files without a name. */
  handles: number;
}

/** Reading all descriptors of an attempt may take this part of the time, unless there is a reason. */
const dutyFactor = 20;
const longestPauseMs = 2_000;

export class AttemptMemory {
  readonly #settings: AttemptMemorySettings;
  #use: MemoryUse = { residentBytes: 0, fileBytes: 0, hiddenBytes: 0, handles: 0 };
  /** Of the machine, in files that no attempt was known to have when this one began. */
  #othersBytes: number | undefined;
  #filesDueAt = 0;
  /**
   * What `countResident` has too little of: processes that it does not find. Too much: files in memory, which count by themselves.
   * As last seen.
   */
  #correctionBytes = 0;

  constructor(settings: AttemptMemorySettings) {
    this.#settings = settings;
  }

  get use(): MemoryUse {
    return this.#use;
  }

  /** Before the first step. */
  async begin(): Promise<void> {
    const machine = await this.#settings.readMachine();
    this.#othersBytes = machine && machine.sharedBytes - this.#settings.knownFileBytes();
  }

  async look(): Promise<LimitBreach | undefined> {
    const { limitBytes, countResident } = this.#settings;
    const countedBytes = await countResident();
    const residentBytes = Math.max(0, countedBytes + this.#correctionBytes);
    this.#use = { ...this.#use, residentBytes, hiddenBytes: 0 };
    const began = performance.now();
    const isSuspicious = (await this.#unexplainedBytes()) > Math.max(0, limitBytes - residentBytes) / 2;
    // Nobody is ended for what a former look, or a former step, had found.
    const isOver = sumOf(this.#use) > limitBytes;
    if (isSuspicious || isOver || began >= this.#filesDueAt) {
      await this.#lookAtAll();
      this.#correctionBytes = this.#use.residentBytes - countedBytes;
      const ended = performance.now();
      this.#filesDueAt = ended + Math.min(longestPauseMs, (ended - began) * dutyFactor);
    }
    return asBreach(this.#use, limitBytes);
  }

  async #lookAtAll(): Promise<void> {
    const { limitBytes, findProcesses, describeSockets, readSegments } = this.#settings;
    const pids = await findProcesses();
    const mapped = await readMapped(pids);
    const search = { pids, devices: noDevices, descriptions: describeSockets?.() ?? [] };
    let files = await measureUnlinked(search);
    this.#take(mapped, files, 0);
    const mayHideBytes = (): number => limitBytes - sumOf(this.#use);
    // Thread by thread, and by a program of the system: only when something is missing that could be held against this attempt.
    const beforeBytes = await this.#unexplainedBytes();
    if (beforeBytes <= mayHideBytes()) return;
    files = await measureUnlinked({ ...search, isThorough: true });
    const segmentBytes = await readSegments(pids);
    this.#take(mapped, files, segmentBytes ?? 0);
    const hiddenBytes = await this.#unexplainedBytes();
    const isAllSeen = files.isMemoryComplete && segmentBytes !== undefined;
    // Someone else's, then, and nothing to ask for again.
    if (isAllSeen) this.#othersBytes = (this.#othersBytes ?? 0) + Math.min(beforeBytes, hiddenBytes);
    else if (hiddenBytes > mayHideBytes()) this.#use = { ...this.#use, hiddenBytes };
  }

  /** Mapped pages of files in memory are in both numbers, so they are taken out of the first. */
  #take(mapped: Mapped, { memoryBytes, handles }: UnlinkedFiles, segmentBytes: number): void {
    const fileBytes = memoryBytes + segmentBytes;
    const residentBytes = fileBytes === 0 ? mapped.bytes : Math.max(0, mapped.bytes - mapped.sharedBytes);
    this.#use = { residentBytes, fileBytes, hiddenBytes: 0, handles };
  }

  /** By how much the machine's memory in files has grown beyond what is known of attempts. */
  async #unexplainedBytes(): Promise<number> {
    const machine = await this.#settings.readMachine();
    if (machine === undefined || this.#othersBytes === undefined) return 0;
    return Math.max(0, machine.sharedBytes - this.#settings.knownFileBytes() - this.#othersBytes);
  }
}

const noDevices: ReadonlySet<number> = new Set();

function sumOf({ residentBytes, fileBytes, hiddenBytes }: MemoryUse): number {
  return residentBytes + fileBytes + hiddenBytes;
}

function asBreach(use: MemoryUse, limitBytes: number): LimitBreach | undefined {
  const bytes = sumOf(use);
  if (bytes <= limitBytes) return undefined;
  const parts = [
    ...(use.fileBytes > 0 ? [`${inMebibytes(use.fileBytes)} in files in memory`] : []),
    ...(use.hiddenBytes > 0 ? [`up to ${inMebibytes(use.hiddenBytes)} where it can't be read`] : []),
  ];
  const of = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return {
    reason: "OutOfMemory",
    message: `it used ${inMebibytes(bytes)} of memory${of}, more than the ${inMebibytes(limitBytes)} allowed`,
  };
}

/** Of some processes together, in bytes. */
interface Mapped {
  bytes: number;
  /** Of that in shared memory, since Linux 4.5. */
  sharedBytes: number;
}

async function readMapped(pids: readonly number[]): Promise<Mapped> {
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "latin1").catch(() => "")));
  const sum = (line: RegExp): number => texts.reduce((bytes, text) => bytes + Number(line.exec(text)?.[1] ?? 0) * 1024, 0);
  return { bytes: sum(/^VmRSS:\s*(\d+)/m), sharedBytes: sum(/^RssShmem:\s*(\d+)/m) };
}
