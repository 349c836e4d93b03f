import stringWidth from "string-width";
import { environment } from "../environment.ts";
import { paint } from "../output/terminal.ts";

/** Prints lines as they arrive, above a progress line that exists only on a terminal. */
export class LineWriter {
  readonly #out: NodeJS.WriteStream;
  readonly #hasProgress: boolean;
  #progress = "";

  /** @param out standard error, if standard output is for the result */
  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.#hasProgress = out.isTTY === true && environment.TERM !== "dumb";
  }

  line(text: string): void {
    this.#out.write(`${this.#clear()}${text}\n${this.#shown()}`);
  }

  progress(text: string): void {
    if (!this.#hasProgress) return;
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
    return text !== "" && stringWidth(text) < (this.#out.columns ?? 80) ? paint("dim", text) : "";
  }
}
