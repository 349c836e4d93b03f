import type { Log } from "./log.ts";

/**
 * Work that a request leaves behind when its answer has gone out: a word to a platform that wants its answer within seconds. What
 * must not be lost is a row before the answer; a background job may fail, and then it is logged. When the process stops it waits a
 * little for those under way.
 */
export class BackgroundJobs {
  readonly #log: Log;
  readonly #maxAtOnce: number;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(log: Log, maxAtOnce = 100) {
    this.#log = log;
    this.#maxAtOnce = maxAtOnce;
  }

  /** Begins after the caller is through with the present turn. False when there are too many under way, or the process stops. */
  run(name: string, work: (signal: AbortSignal) => Promise<void>): boolean {
    if (this.#stopping.signal.aborted || this.#underWay.size >= this.#maxAtOnce) {
      this.#log.warn({ job: name, underWay: this.#underWay.size }, "a background job was not run");
      return false;
    }
    const job = new Promise((resolve) => setImmediate(resolve))
      .then(() => work(this.#stopping.signal))
      .catch((err: unknown) => this.#log.warn({ err, job: name }, "a background job failed"))
      .finally(() => this.#underWay.delete(job));
    this.#underWay.add(job);
    return true;
  }

  /** Once none is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Takes no more, waits for those under way, and after the grace tells them to end. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(new Error("the process stops")), graceMs);
    await this.settled();
    clearTimeout(timer);
    this.#stopping.abort();
  }
}
