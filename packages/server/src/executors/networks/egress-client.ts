import type { Duplex } from "node:stream";

/** Some programs (apt) send ten requests before the first response. Far more is not a program that wants responses. */
const maxWaiting = 32;

/**
 * One connection of a step to the proxy. Its requests are processed one after the other, so that it has one connection to the outside at a
 * time, however many requests it sends before the first response; and all of it ends when the client disconnects. So a limit on clients
 * also limits their cost.
 */
export class EgressClient {
  readonly #connection: Duplex;
  readonly #leaving = new AbortController();
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(connection: Duplex) {
    this.#connection = connection;
    connection.once("close", () => this.#leaving.abort());
  }

  /** Aborted once the connection is closed here. While it is not being read, before its tunnel exists, a disconnect goes unnoticed. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** @param act to be done after everything before it; if it throws, only this connection ends */
  take(act: () => Promise<void>): void {
    if (this.#connection.destroyed) return;
    // All requests of one piece are read at once, even while others are processed: more of them would pile up.
    if (this.#waiting >= maxWaiting) return void this.#connection.destroy();
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      try {
        if (!this.#connection.destroyed) await act();
      } catch {
        // An error caused by a step or a server must end only this connection: an uncaught one would end the service.
        this.#connection.destroy();
      }
      this.#waiting--;
    });
  }
}
