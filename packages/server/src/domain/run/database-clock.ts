/**
 * Estimates the database's clock from its last response and this process's monotonic clock. Used for times that are shown and for wake
 * times, where a millisecond doesn't matter. Fences never depend on it.
 */
export class DatabaseClock {
  #base: { database: number; monotonic: number } | undefined;

  note(databaseMs: number): void {
    this.#base = { database: databaseMs, monotonic: performance.now() };
  }

  /** Epoch milliseconds; undefined until the first response with the database's time. */
  now(): number | undefined {
    return this.#base && Math.round(this.#base.database + performance.now() - this.#base.monotonic);
  }
}
