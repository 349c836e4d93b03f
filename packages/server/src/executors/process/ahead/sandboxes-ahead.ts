import type { Job } from "../../../engine/executor.ts";
import { nicenessOf, type TeamAttempts } from "../../steps/team-shares.ts";
import type { AttemptSlots } from "../attempt-slots.ts";
import { type AheadParts, makeAhead, type SandboxAhead } from "./sandbox-ahead.ts";

export interface AheadLimits {
  /** How many wait at most; 0: none is made. */
  most: number;
  /** How long one waits, in ms. */
  idleMs: number;
  /** Another one is made only for steps that follow each other within this time, in ms. */
  withinMs: number;
  /** Monotonic milliseconds. */
  clock(): number;
}

const defaultLimits: AheadLimits = { most: 4, idleMs: 1_000, withinMs: 1_000, clock: () => performance.now() };

interface Parts extends AheadParts {
  slots: AttemptSlots;
  teamAttempts: TeamAttempts;
}

/**
 * Sandboxes that are made while other steps run, so that the next step does not wait for its own. They are made one for one: a step that
 * starts soon after another one has the next one made. So a single script costs what it cost, and after the last of many a few are thrown
 * away.
 */
export class SandboxesAhead {
  readonly #parts: Parts;
  readonly #limits: AheadLimits;
  readonly #waiting: { sandbox: SandboxAhead; timer: NodeJS.Timeout }[] = [];
  /** Being made or ended. */
  readonly #busy = new Set<Promise<void>>();
  #making = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isInRow = false;
  #isClosed = false;

  constructor(parts: Parts, limits: Partial<AheadLimits> = {}) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /**
   * @returns one for this job, to be ended by the caller, and its folder released; undefined: it needs a fresh one
   * @throws if this attempt is already running here
   */
  take(job: Job): SandboxAhead | undefined {
    this.#isInRow = this.#suits(job) && this.#follows();
    const [found] = this.#waiting;
    if (found === undefined || !this.#isInRow) return undefined;
    this.#parts.slots.assign(found.sandbox.attempt, job);
    this.#waiting.shift();
    clearTimeout(found.timer);
    return found.sandbox;
  }

  /** Makes one for the next step, if steps follow each other. */
  makeNext(): void {
    if (!this.#isInRow || this.#isClosed || this.#waiting.length + this.#making >= this.#limits.most) return;
    this.#making++;
    this.#track(this.#make().finally(() => this.#making--));
  }

  /** Ends all that wait. */
  async endAll(): Promise<void> {
    this.#isInRow = false;
    while (this.#busy.size > 0 || this.#waiting.length > 0) {
      for (const { sandbox } of [...this.#waiting]) this.#drop(sandbox);
      await Promise.all(this.#busy);
    }
  }

  /** From now on none is made. */
  close(): void {
    this.#isClosed = true;
  }

  #follows(): boolean {
    const now = this.#limits.clock();
    const isSoon = now - this.#lastAt <= this.#limits.withinMs;
    this.#lastAt = now;
    return isSoon;
  }

  /** It must be as the one that was made: without a network, without mounts of its own, with the usual weight. */
  #suits(job: Job): boolean {
    const { slots, groups, teamAttempts } = this.#parts;
    if (job.network !== "none" || !slots.canBeAhead(job)) return false;
    return groups?.sharesProcessors === true || nicenessOf(teamAttempts.count(job.teamId) + 1) === 0;
  }

  async #make(): Promise<void> {
    const { slots } = this.#parts;
    const attempt = slots.takeAhead();
    const sandbox = await makeAhead(this.#parts, attempt).catch(async () => {
      // The next step meets the same, and reports it.
      await slots.release(attempt);
    });
    if (sandbox === undefined) return;
    const timer = setTimeout(() => this.#drop(sandbox), this.#limits.idleMs).unref();
    this.#waiting.push({ sandbox, timer });
    void sandbox.ended.then(() => this.#drop(sandbox));
    if (this.#isClosed) this.#drop(sandbox);
  }

  /** Ends one that waits. */
  #drop(sandbox: SandboxAhead): void {
    const index = this.#waiting.findIndex((each) => each.sandbox === sandbox);
    if (index < 0) return;
    const [dropped] = this.#waiting.splice(index, 1);
    clearTimeout(dropped?.timer);
    this.#track(this.#end(sandbox));
  }

  async #end(sandbox: SandboxAhead): Promise<void> {
    try {
      await sandbox.end();
    } finally {
      await this.#parts.slots.release(sandbox.attempt);
    }
  }

  #track(work: Promise<unknown>): void {
    const tracked = work.then(
      () => void this.#busy.delete(tracked),
      () => void this.#busy.delete(tracked),
    );
    this.#busy.add(tracked);
  }
}

/** @returns undefined where sandboxes can't wait, or only a shell can start their steps */
export function openSandboxesAhead(parts: Parts): SandboxesAhead | undefined {
  return parts.level.canBeAhead === true && parts.slots.hasLauncher ? new SandboxesAhead(parts) : undefined;
}
