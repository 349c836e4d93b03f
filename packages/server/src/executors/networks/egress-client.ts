import type { Duplex } from "node:stream";

/** Some programs (apt) ask for ten things before the first answer. Far more is not a program that wants answers. */
const maxWaiting = 32;

/**
 * One connection of a step to the proxy. What it asks for is done one after the other, so that it has one connection to the outside
 * at a time, however many requests it sends before the first is answered; and all of it ends when the client leaves. So a limit of
 * clients is one of what they cost.
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

  /** Aborted once the connection is closed here. One that is not read, before its tunnel is there, counts as open until then. */
  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  /** @param act what is to be done after everything before it; what it throws ends this connection and nothing else */
  take(act: () => Promise<void>): void {
    if (this.#connection.destroyed) return;
    // Requests of one piece are read at once, whatever is done meanwhile: more of them would pile up.
    if (this.#waiting >= maxWaiting) return void this.#connection.destroy();
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      try {
        if (!this.#connection.destroyed) await act();
      } catch {
        // What a step or a server says must never end more than this: an error that nobody catches is the end of the service.
        this.#connection.destroy();
      }
      this.#waiting--;
    });
  }
}
