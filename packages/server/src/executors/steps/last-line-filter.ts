const lineFeed = 10;

/** Takes lines as UTF-8 with a line feed between them, and how many these are. */
type TakeText = (text: Buffer, lines: number) => void;

/**
 * Leaves one line out of the output of a step if it is the very last: what the program around the step writes when the step was
 * killed, which is no output of the step. A line of the same words that is followed by others is kept.
 */
export class LastLineFilter {
  readonly #words: Buffer;
  readonly #onLines: TakeText;
  /** The line was last so far. */
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
    // What the step wrote without a line end stands in front of it, in the same line.
    if (text[start - 1] === lineFeed) this.#onLines(text.subarray(0, start - 1), lines - 1);
    else this.#onLines(text.subarray(0, start), lines);
  }

  /** So far it is the last line. */
  get isLast(): boolean {
    return this.#isHeld;
  }
}
