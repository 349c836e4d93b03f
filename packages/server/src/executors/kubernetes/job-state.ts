import type { StopCause, Verdict } from "../steps/outcomes.ts";

/**
 * What may happen to an attempt from outside while it runs. Its loop looks at all of it again whenever `wake` is called, so the order of
 * events does not matter.
 */
export class JobState {
  /** Why it is to stop; the first reason counts. */
  cause: StopCause | undefined;
  /** Why the cluster prevents it from continuing; the results of its steps no longer count. */
  failure: Verdict | undefined;
  /** If it is stopped: the shortest requested grace period, in ms. */
  graceMs = Number.POSITIVE_INFINITY;
  stoppedAt: number | undefined;
  /** The worker ends, and another one will take over the Job. */
  isReleased = false;
  isOver = false;
  #wake: () => void = () => undefined;
  #isAwake = false;

  wake = (): void => {
    this.#isAwake = true;
    this.#wake();
  };

  /** Asks it to stop: no further step starts; the running one gets TERM and, after the grace period, KILL. */
  halt(cause: StopCause, graceMs: number): void {
    if (this.isOver) return;
    this.cause ??= cause;
    this.#stop(graceMs);
  }

  /** Stops it because the cluster prevents it from continuing. */
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

  /** Resolves at the next change, or after that time. Changes before the call count. */
  changed(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), Math.max(0, withinMs));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        this.#isAwake = false;
        resolve();
      };
      // In a separate turn of the event loop: a loop that wakes itself must not block everything else.
      if (this.#isAwake) setImmediate(() => this.#wake());
    });
  }
}
