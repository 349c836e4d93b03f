/**
 * What the database's clock shows, estimated from its last answer and this process's monotonic clock: for times that are shown and for
 * wake times, where a millisecond more or less is no matter. Fences never depend on it.
 */
export class DatabaseClock {
  #base: { database: number; monotonic: number } | undefined;

  note(databaseMs: number): void {
    this.#base = { database: databaseMs, monotonic: performance.now() };
  }

  /** Epoch milliseconds; undefined before the database told its time. */
  now(): number | undefined {
    return this.#base && Math.round(this.#base.database + performance.now() - this.#base.monotonic);
  }
}
