import { environment } from "../environment.ts";
import { paint } from "../output/terminal.ts";
import { loadAnyTextWidth, type TextWidth } from "../output/text-width.ts";

/** Prints lines as they arrive, above a progress line that exists only on a terminal. */
export class LineWriter {
  readonly #out: NodeJS.WriteStream;
  /** Undefined: there is no progress line. */
  readonly #textWidth: TextWidth | undefined;
  #progress = "";

  private constructor(out: NodeJS.WriteStream, textWidth: TextWidth | undefined) {
    this.#out = out;
    this.#textWidth = textWidth;
  }

  /** @param out standard error, if standard output is for the result */
  static async open(out: NodeJS.WriteStream): Promise<LineWriter> {
    const hasProgress = out.isTTY === true && environment.TERM !== "dumb";
    return new LineWriter(out, hasProgress ? await loadAnyTextWidth() : undefined);
  }

  line(text: string): void {
    this.#out.write(`${this.#clear()}${text}\n${this.#shown()}`);
  }

  progress(text: string): void {
    if (this.#textWidth === undefined) return;
    const before = this.#clear();
    this.#progress = text;
    this.#out.write(before + this.#shown());
  }

  end(): void {
    this.progress("");
  }

  #clear(): string {
    return this.#progress === "" ? "" : "\r\u001b[K";
  }

  /** Never wider than the terminal: a wrapped line could not be cleared. */
  #shown(): string {
    const text = this.#progress;
    return text !== "" && this.#textWidth!(text) < (this.#out.columns ?? 80) ? paint("dim", text) : "";
  }
}
