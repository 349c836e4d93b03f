import { readFile } from "node:fs/promises";
import type { LimitBreach } from "../../folders/limit-watch.ts";
import { inMebibytes } from "../../folders/measure-tree.ts";
import { measureUnlinked, type UnlinkedFiles } from "../../folders/open-files.ts";
import type { MachineMemory } from "../../machine/machine-memory.ts";

/**
 * Memory of one attempt where no control group counts it. It has three parts:
 *
 * - what its processes have mapped, which the kernel counts for each;
 * - files in memory that need not be mapped: found through the descriptors and mappings of the processes, and the list of segments;
 * - what can't be read (a descriptor in transit in a socket, a mapping that only root may follow): all that the machine's memory in
 *   files has grown by since the attempt started, beyond what is known of any attempt.
 *
 * Memory of the kernel itself (buffers of sockets and pipes) is in none of them: `MemoryGuard` keeps the machine from running out of it.
 */
export interface AttemptMemorySettings {
  limitBytes: number;
  /** Processes of the running step; none: it has not started. */
  findProcesses(): Promise<number[]>;
  /** Where the kernel describes our ends of the attempt's sockets. */
  describeSockets?(): readonly string[];
  /** What the processes of the running step have mapped, in bytes; those that have left its tree may be missing. */
  countResident(): Promise<number>;
  /** Segments without an attached process, in bytes; undefined: unknown. */
  readSegments(pids: readonly number[]): Promise<number | undefined>;
  readMachine(): Promise<MachineMemory | undefined>;
  /** Bytes in files in memory, of all attempts of this executor, as far as known. */
  knownFileBytes(): number;
}

/** The memory of an attempt at the last measurement. */
export interface MemoryUse {
  residentBytes: number;
  fileBytes: number;
  /** The maximum of what can't be read. */
  hiddenBytes: number;
  /** Open descriptors and mappings of files without a name. */
  handles: number;
}

/** After reading all descriptors of an attempt, the pause is this many times as long as it took, unless there is a reason not to wait. */
const dutyFactor = 20;
const longestPauseMs = 2_000;

export class AttemptMemory {
  readonly #settings: AttemptMemorySettings;
  #use: MemoryUse = { residentBytes: 0, fileBytes: 0, hiddenBytes: 0, handles: 0 };
  /** The machine's memory in files that belonged to no known attempt when this one started. */
  #othersBytes: number | undefined;
  #filesDueAt = 0;
  /**
   * The error of `countResident` at the last measurement. It misses processes that it does not find, and includes files in memory, which
   * are counted separately.
   */
  #correctionBytes = 0;

  constructor(settings: AttemptMemorySettings) {
    this.#settings = settings;
  }

  get use(): MemoryUse {
    return this.#use;
  }

  /** Called before the first step. */
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
    // An attempt is not ended because of the results of a former measurement or of a former step.
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
    // Inspecting each thread, and running a program of the system, is only done if something is missing that could exceed this attempt's
    // limit.
    const beforeBytes = await this.#unexplainedBytes();
    if (beforeBytes <= mayHideBytes()) return;
    files = await measureUnlinked({ ...search, isThorough: true });
    const segmentBytes = await readSegments(pids);
    this.#take(mapped, files, segmentBytes ?? 0);
    const hiddenBytes = await this.#unexplainedBytes();
    const isAllSeen = files.isMemoryComplete && segmentBytes !== undefined;
    // Then it belongs to others, and need not be looked for again.
    if (isAllSeen) this.#othersBytes = (this.#othersBytes ?? 0) + Math.min(beforeBytes, hiddenBytes);
    else if (hiddenBytes > mayHideBytes()) this.#use = { ...this.#use, hiddenBytes };
  }

  /** Mapped pages of files in memory are in both numbers, so they are subtracted from the first. */
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

/** The memory of some processes together, in bytes. */
interface Mapped {
  bytes: number;
  /** The part of it in shared memory, since Linux 4.5. */
  sharedBytes: number;
}

async function readMapped(pids: readonly number[]): Promise<Mapped> {
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "latin1").catch(() => "")));
  const sum = (line: RegExp): number => texts.reduce((bytes, text) => bytes + Number(line.exec(text)?.[1] ?? 0) * 1024, 0);
  return { bytes: sum(/^VmRSS:\s*(\d+)/m), sharedBytes: sum(/^RssShmem:\s*(\d+)/m) };
}
