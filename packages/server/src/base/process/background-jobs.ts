import type { Log } from "./log.ts";

/**
 * Work after the response of a request was sent, such as a message to a platform that expects its response within seconds. What must not be
 * lost is a row before the response; a background job may fail, and is then logged. When the process stops it waits a little for jobs in
 * progress.
 */
export class BackgroundJobs {
  readonly #log: Log;
  readonly #maxAtOnce: number;
  readonly #stopping = new AbortController();
  readonly #inProgress = new Set<Promise<void>>();

  constructor(log: Log, maxAtOnce = 100) {
    this.#log = log;
    this.#maxAtOnce = maxAtOnce;
  }

  /** Starts it after the current turn of the caller. False if too many are in progress, or the process is stopping. */
  run(name: string, work: (signal: AbortSignal) => Promise<void>): boolean {
    if (this.#stopping.signal.aborted || this.#inProgress.size >= this.#maxAtOnce) {
      this.#log.warn({ job: name, inProgress: this.#inProgress.size }, "a background job was not run");
      return false;
    }
    const job = new Promise((resolve) => setImmediate(resolve))
      .then(() => work(this.#stopping.signal))
      .catch((err: unknown) => this.#log.warn({ err, job: name }, "a background job failed"))
      .finally(() => this.#inProgress.delete(job));
    this.#inProgress.add(job);
    return true;
  }

  /** Resolves once none is in progress. */
  async settled(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }

  /** Accepts no more, waits for those in progress, and aborts them after the grace period. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(new Error("the process stops")), graceMs);
    await this.settled();
    clearTimeout(timer);
    this.#stopping.abort();
  }
}
