import { AppError } from "../../base/error/app-error.ts";

/** Of the usually 20 connections that a process has to the database. */
const mostAtOnce = 6;
const mostOfCaller = 2;

/**
 * A set occupies a connection to the database for as long as it takes, which may be many seconds. So a process applies only a few at once,
 * and leaves slots to other callers, however many teams a caller has.
 */
export class ApplyPlaces {
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  /** @throws CONFLICT instead of waiting, which would occupy a connection as well */
  async within<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.#takenBy.get(caller) ?? 0;
    if (own >= mostOfCaller) throw tryAgain(`${own} other sets of yours are`);
    if (this.#taken >= mostAtOnce) throw tryAgain(`${this.#taken} other sets are`);
    this.#take(caller, 1);
    try {
      return await work();
    } finally {
      this.#take(caller, -1);
    }
  }

  #take(caller: string, count: 1 | -1): void {
    const own = (this.#takenBy.get(caller) ?? 0) + count;
    this.#taken += count;
    if (own === 0) this.#takenBy.delete(caller);
    else this.#takenBy.set(caller, own);
  }
}

export function tryAgain(what: string): AppError {
  return new AppError("CONFLICT", [`${what} being applied; try again when that has ended`], { retryAfterSeconds: 2 });
}
