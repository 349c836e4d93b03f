import type { LimitBreach } from "../../folders/limit-watch.ts";
import { inMebibytes } from "../../folders/measure-tree.ts";
import { type MachineMemory, readMachineMemory } from "../../machine/machine-memory.ts";
import type { MemoryUse } from "./attempt-memory.ts";

/** An attempt whose memory no control group limits. */
export interface GuardedAttempt {
  readonly use: MemoryUse;
  end(breach: LimitBreach): void;
}

/** How often the machine's memory is checked, in ms. */
const everyMs = 100;
/** How long the kernel needs to reclaim the memory of ended processes. */
const settleMs = 1_000;
const leastReserveBytes = 128 * 1024 ** 2;
const mostReserveBytes = 1024 ** 3;
/** Part of the machine's memory. */
const reserveShare = 0.05;
/** Ending an attempt with less would not help the machine. */
const leastBytes = 64 * 1024 ** 2;
/** How much memory a handle may hold invisibly: the buffer of a pipe or a socket with the kernel's usual limits. */
const bytesPerHandle = 512 * 1024;

/**
 * Prevents steps from taking the last memory of the machine where no control group limits them: before the kernel starts to end processes
 * of its choice, the attempt that most likely has the memory is ended, and then the next one, until there is enough again. Only active
 * while such attempts run.
 */
export class MemoryGuard {
  readonly #attempts = new Set<GuardedAttempt>();
  readonly #read: () => Promise<MachineMemory | undefined>;
  #timer: NodeJS.Timeout | undefined;
  #quietUntil = 0;

  constructor(read: () => Promise<MachineMemory | undefined> = readMachineMemory) {
    this.#read = read;
  }

  add(attempt: GuardedAttempt): void {
    this.#attempts.add(attempt);
    this.#timer ??= setInterval(() => void this.#look(), everyMs);
  }

  remove(attempt: GuardedAttempt): void {
    this.#attempts.delete(attempt);
    if (this.#attempts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Bytes in files in memory, of all attempts. */
  knownFileBytes(): number {
    return [...this.#attempts].reduce((sum, { use }) => sum + use.fileBytes, 0);
  }

  async #look(): Promise<void> {
    if (performance.now() < this.#quietUntil) return;
    const machine = await this.#read();
    if (machine === undefined || machine.availableBytes >= reserveBytes(machine)) return;
    const [victim] = mostLikely([...this.#attempts]);
    if (victim === undefined || performance.now() < this.#quietUntil) return;
    this.#quietUntil = performance.now() + settleMs;
    this.remove(victim);
    victim.end(breachOf(victim.use, machine));
  }
}

/** The memory that has to stay available. */
export function reserveBytes({ totalBytes }: MachineMemory): number {
  return Math.min(mostReserveBytes, Math.max(leastReserveBytes, totalBytes * reserveShare));
}

/** Attempts with enough memory, the largest first; invisible memory is estimated by the number of handles that could hold it. */
export function mostLikely<T extends Pick<GuardedAttempt, "use">>(attempts: readonly T[]): T[] {
  return attempts.filter((each) => weigh(each.use) >= leastBytes).sort((one, other) => weigh(other.use) - weigh(one.use));
}

function weigh({ residentBytes, fileBytes, hiddenBytes, handles }: MemoryUse): number {
  return residentBytes + fileBytes + hiddenBytes + handles * bytesPerHandle;
}

function breachOf(use: MemoryUse, machine: MachineMemory): LimitBreach {
  const seen = inMebibytes(use.residentBytes + use.fileBytes + use.hiddenBytes);
  return {
    reason: "OutOfMemory",
    message:
      `the machine had only ${inMebibytes(machine.availableBytes)} of memory left, and this task most likely had most of it: ${seen} and ` +
      `${use.handles} open files, sockets and pipes`,
  };
}
