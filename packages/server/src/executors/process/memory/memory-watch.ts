import { readFile } from "node:fs/promises";
import { machineFaultOf } from "../../../base/error/machine-fault.ts";
import type { LimitBreach, OnBreach } from "../../folders/limit-watch.ts";
import { runTool } from "../../folders/run-tool.ts";
import { AttemptMemory, type AttemptMemorySettings, type MemoryUse } from "./attempt-memory.ts";
import type { GuardedAttempt, MemoryGuard } from "./memory-guard.ts";

const pauseMs = 200;
/** How long an attempt may continue while a fault of the machine prevents measuring. */
const longestBlindMs = 10_000;

/** Watches the memory of an attempt that no control group limits, from its first step to its last. */
export class MemoryWatch implements GuardedAttempt {
  readonly #memory: AttemptMemory;
  readonly #guard: MemoryGuard;
  #onBreach: OnBreach | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #checkedAt = performance.now();

  constructor(guard: MemoryGuard, settings: Omit<AttemptMemorySettings, "knownFileBytes">) {
    this.#guard = guard;
    this.#memory = new AttemptMemory({ ...settings, knownFileBytes: () => guard.knownFileBytes() });
  }

  get use(): MemoryUse {
    return this.#memory.use;
  }

  /** Starts measuring from time to time; `onBreach` is called at most once. */
  async start(onBreach: OnBreach): Promise<void> {
    await this.#memory.begin();
    this.#onBreach = onBreach;
    this.#guard.add(this);
    this.#checkedAt = performance.now();
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#guard.remove(this);
  }

  end(breach: LimitBreach, error?: unknown): void {
    if (this.#isStopped) return;
    this.stop();
    this.#onBreach?.(breach, error);
  }

  #schedule(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#look(), pauseMs);
  }

  async #look(): Promise<void> {
    try {
      const breach = await this.#memory.look();
      this.#checkedAt = performance.now();
      if (breach) this.end(breach);
    } catch (error) {
      // Fail closed: what can't be measured is not limited. A moment in which this machine runs out of file descriptors is no reason yet.
      const isPassing = machineFaultOf(error) && performance.now() - this.#checkedAt < longestBlindMs;
      if (!isPassing) this.end({ reason: "OutOfMemory", message: `its memory can't be measured: ${(error as Error).message}` }, error);
    }
    this.#schedule();
  }
}

/**
 * Memory of System V segments without an attached process: it does not show in any process, and it stays when all of them have ended. The
 * kernel lists the segments of the IPC namespace of the reader.
 */
const list = "/proc/sysvipc/shm";

/**
 * Segments in the IPC namespace of a process. Runs a program of the system, so it should not be called all the time.
 * @param isRoot whether this process may enter any namespace; otherwise it enters the user namespace first, which it owns
 * @returns undefined if it can't be found out
 */
export async function readNamespaceSegments(pid: number, isRoot: boolean): Promise<number | undefined> {
  const user = isRoot ? [] : ["--user", "--preserve-credentials"];
  const { code, stdout } = await runTool("nsenter", ["--target", String(pid), ...user, "--ipc", "--", "cat", list]);
  return code === 0 ? countDetachedBytes(stdout) : undefined;
}

/** Segments in the namespace of the service. @param uid of the user whose segments count */
export async function readUserSegments(uid: number): Promise<number | undefined> {
  const text = await readFile(list, "latin1").catch(() => undefined);
  return text === undefined ? undefined : countDetachedBytes(text, uid);
}

/** @param text a table whose first line names the columns; `rss` and `swap` are allocated bytes, `size` is the requested size */
export function countDetachedBytes(text: string, uid?: number): number {
  const [head = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  const read = (row: string[], name: string): number => Number(row[head.indexOf(name)] ?? 0);
  return rows
    .filter((row) => read(row, "nattch") === 0 && (uid === undefined || read(row, "cuid") === uid || read(row, "uid") === uid))
    .reduce((sum, row) => sum + read(row, "rss") + read(row, "swap"), 0);
}
