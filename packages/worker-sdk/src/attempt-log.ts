import type { AttemptName, Protocol } from "./protocol.ts";

/** Limits of the service for one request: lines of an attempt, and characters, with room for what JSON adds. */
const mostLines = 5_000;
const mostCharacters = 1_000_000;
const longestLine = 65_000;
const pauseMs = 300;

/**
 * Lines of one attempt. They are sent to the service after a moment, one request after the other, and the last ones together with the end
 * of the attempt, so that an attempt with little output needs no separate request.
 */
export class AttemptLog {
  readonly #protocol: Protocol;
  readonly #attempt: AttemptName;
  readonly #worker: () => string | undefined;
  #lines: string[] = [];
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(protocol: Protocol, attempt: AttemptName, worker: () => string | undefined) {
    this.#protocol = protocol;
    this.#attempt = { id: attempt.id, attempt: attempt.attempt };
    this.#worker = worker;
  }

  /** @returns a promise that resolves when there is room for more */
  add(text: string): Promise<void> {
    for (const line of text.replace(/\r?\n$/, "").split(/\r?\n/)) {
      for (let at = 0; at === 0 || at < line.length; at += longestLine) this.#lines.push(line.slice(at, at + longestLine));
      this.#characters += line.length;
    }
    if (this.#lines.length >= mostLines || this.#characters >= mostCharacters) return this.#send();
    this.#timer ??= setTimeout(() => void this.#send(), pauseMs);
    return Promise.resolve();
  }

  /** Returns the remaining lines, for the request that ends the attempt. */
  async close(): Promise<string[]> {
    clearTimeout(this.#timer);
    if (this.#lines.length > mostLines || this.#characters > mostCharacters / 10) await this.#send();
    await this.#sending;
    return this.#lines.splice(0);
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines.splice(0);
    this.#characters = 0;
    this.#sending = this.#sending.then(async () => {
      for (const batch of batches(lines)) await this.#post(batch);
    });
    return this.#sending;
  }

  /** A log that can't be sent must not end the attempt: sending is retried for a while, and then given up. */
  async #post(lines: string[]): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      try {
        await this.#protocol.log({ worker: this.#worker(), attempts: [{ ...this.#attempt, lines }] });
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** tries));
      }
    }
  }
}

function batches(lines: readonly string[]): string[][] {
  const all: string[][] = [];
  let batch: string[] = [];
  let characters = 0;
  for (const line of lines) {
    if (batch.length >= mostLines || (characters + line.length > mostCharacters && batch.length > 0)) {
      all.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(line);
    characters += line.length;
  }
  return batch.length > 0 ? [...all, batch] : all;
}
