import { machineFaultOf } from "../../../base/error/machine-fault.ts";
import type { LimitBreach, OnBreach } from "../../folders/limit-watch.ts";
import { AttemptMemory, type AttemptMemorySettings, type MemoryUse } from "./attempt-memory.ts";
import type { GuardedAttempt, MemoryGuard } from "./memory-guard.ts";

const pauseMs = 200;
/** For so long an attempt may run on while a fault of the machine keeps it from being looked at. */
const longestBlindMs = 10_000;

/** Watches the memory of an attempt that no control group limits, from its first step to its last. */
export class MemoryWatch implements GuardedAttempt {
  readonly #memory: AttemptMemory;
  readonly #guard: MemoryGuard;
  #onBreach: OnBreach | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #lookedAt = performance.now();

  constructor(guard: MemoryGuard, settings: Omit<AttemptMemorySettings, "knownFileBytes">) {
    this.#guard = guard;
    this.#memory = new AttemptMemory({ ...settings, knownFileBytes: () => guard.knownFileBytes() });
  }

  get use(): MemoryUse {
    return this.#memory.use;
  }

  /** Begins to look now and then; `onBreach` is called at most once. */
  async start(onBreach: OnBreach): Promise<void> {
    await this.#memory.begin();
    this.#onBreach = onBreach;
    this.#guard.add(this);
    this.#lookedAt = performance.now();
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
      this.#lookedAt = performance.now();
      if (breach) this.end(breach);
    } catch (error) {
      // Fail closed: what can't be looked at is not limited. A moment in which this machine is short of files is no reason yet.
      const isPassing = machineFaultOf(error) && performance.now() - this.#lookedAt < longestBlindMs;
      if (!isPassing) this.end({ reason: "OutOfMemory", message: `its memory can't be measured: ${(error as Error).message}` }, error);
    }
    this.#schedule();
  }
}
