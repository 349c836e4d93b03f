import type { StopCause, Verdict } from "../steps/outcomes.ts";

/**
 * What may happen to an attempt from outside while it runs. Its loop looks at all of it again whenever `wake` is called, so nothing has to
 * come in a certain order.
 */
export class JobState {
  /** Why it is to stop; the first reason stays. */
  cause: StopCause | undefined;
  /** Why the cluster keeps it from going on; what its steps did until then counts no more. */
  failure: Verdict | undefined;
  /** When it is stopped: the least grace that was asked for, in ms. */
  graceMs = Number.POSITIVE_INFINITY;
  stoppedAt: number | undefined;
  /** The worker ends, and another one will take the Job up. */
  isLetGo = false;
  isOver = false;
  #wake: () => void = () => undefined;
  #isAwake = false;

  wake = (): void => {
    this.#isAwake = true;
    this.#wake();
  };

  /** Asks it to stop: no further step begins, the running one gets TERM and, after the grace period, KILL. */
  halt(cause: StopCause, graceMs: number): void {
    if (this.isOver) return;
    this.cause ??= cause;
    this.#stop(graceMs);
  }

  /** Stops it because the cluster keeps it from going on. */
  fail(verdict: Verdict, graceMs: number): void {
    if (this.isOver || this.cause || this.failure) return;
    this.failure = verdict;
    this.#stop(graceMs);
  }

  #stop(graceMs: number): void {
    this.graceMs = Math.min(this.graceMs, graceMs);
    this.stoppedAt ??= performance.now();
    this.wake();
  }

  get isStopped(): boolean {
    return this.stoppedAt !== undefined;
  }

  /** Resolves at the next news, or after that time. News of before count. */
  changed(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), Math.max(0, withinMs));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        this.#isAwake = false;
        resolve();
      };
      // In a turn of its own: a loop that wakes itself must not keep everything else from happening.
      if (this.#isAwake) setImmediate(() => this.#wake());
    });
  }
}
