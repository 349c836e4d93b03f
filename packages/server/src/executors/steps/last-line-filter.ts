const lineFeed = 10;

/** Receives lines as UTF-8, separated by line feeds, and their number. */
type TakeText = (text: Buffer, lines: number) => void;

/**
 * Removes one line from the output of a step if it is the very last: the message of the program around the step when the step was killed,
 * which is not output of the step. The same line in the middle of the output is kept.
 */
export class LastLineFilter {
  readonly #words: Buffer;
  readonly #onLines: TakeText;
  /** The line is the last one so far. */
  #isHeld = false;

  constructor(words: string, onLines: TakeText) {
    this.#words = Buffer.from(words);
    this.#onLines = onLines;
  }

  push(text: Buffer, lines: number): void {
    if (this.#isHeld) this.#onLines(this.#words, 1);
    const start = text.length - this.#words.length;
    this.#isHeld = start >= 0 && text.subarray(start).equals(this.#words);
    if (!this.#isHeld) return this.#onLines(text, lines);
    if (start === 0) return;
    // If the step's output did not end with a line feed, it precedes the message in the same line.
    if (text[start - 1] === lineFeed) this.#onLines(text.subarray(0, start - 1), lines - 1);
    else this.#onLines(text.subarray(0, start), lines);
  }

  /** So far it is the last line. */
  get isLast(): boolean {
    return this.#isHeld;
  }
}
