const firstMs = 60_000;
const longestMs = 3_600_000;

interface Failure {
  count: number;
  dueAt: number;
  reason: string;
}

/** Remembers failures, so that retries become less frequent, and are not logged each time. */
export class RetryLater {
  readonly #clock: () => number;
  readonly #failures = new Map<string, Failure>();

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  isDue(key: string): boolean {
    return (this.#failures.get(key)?.dueAt ?? 0) <= this.#clock();
  }

  /**
   * @returns whether this reason is a new one, and when the next try is due, in ms: after a minute, then twice as long each time, up to an
   * hour
   */
  fail(key: string, reason: string): { isNew: boolean; retryMs: number } {
    const last = this.#failures.get(key);
    const count = (last?.count ?? 0) + 1;
    const retryMs = Math.min(longestMs, firstMs * 2 ** (count - 1));
    this.#failures.set(key, { count, dueAt: this.#clock() + retryMs, reason });
    return { isNew: last?.reason !== reason, retryMs };
  }

  /** @returns whether it had failed before */
  succeed(key: string): boolean {
    return this.#failures.delete(key);
  }

  /** Forgets what no longer exists. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#failures.keys()) if (!keys.has(key)) this.#failures.delete(key);
  }
}

/** Resolves when the work ends or the time has passed, whichever is first; the result of the work is ignored. */
export function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}
