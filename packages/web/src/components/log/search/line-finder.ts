import { LineRanges } from "../lines/line-ranges.ts";
import type { LogFound } from "../log-source.ts";

/** A search in the whole log, which the service performs one part at a time: the matches so far, and how far it has searched. */
export class LineFinder {
  readonly ranges = new LineRanges();
  readonly steps = new Set<string>();
  isSearching = false;
  error: unknown;
  /** Lines that were examined. */
  private searchedTo = 0;
  private goal = 0;
  private claims = 0;
  private version = 0;
  private readonly listeners = new Set<() => void>();
  private readonly search: (fromLine: number) => Promise<LogFound>;

  constructor(search: (fromLine: number) => Promise<LogFound>) {
    this.search = search;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getVersion = (): number => this.version;

  /** Continues the search up to that many lines while it is needed. @returns a function that ends the need */
  claim(count: number): () => void {
    this.goal = Math.max(this.goal, count);
    this.claims += 1;
    void this.run();
    return () => {
      this.claims -= 1;
    };
  }

  /**
   * The nearest match after a line, or before it; wraps around at the ends. Searches as far as necessary to know.
   * @param count the number of lines in the log
   */
  async nearest(line: number, by: 1 | -1, count: number): Promise<number | undefined> {
    const release = this.claim(count);
    try {
      for (;;) {
        const isDone = this.searchedTo >= count || this.error !== undefined;
        const near = this.ranges.at(by === 1 ? this.ranges.placeOf(line + 1) : this.ranges.placeOf(line) - 1);
        const isSure = by === 1 || this.searchedTo >= line;
        if (near !== undefined && (isSure || isDone)) return near;
        if (isDone) return this.ranges.at(by === 1 ? 0 : this.ranges.count - 1);
        await this.nextChange();
      }
    } finally {
      release();
    }
  }

  private async run(): Promise<void> {
    if (this.isSearching || this.searchedTo >= this.goal) return;
    this.isSearching = true;
    this.error = undefined;
    try {
      while (this.searchedTo < this.goal && this.claims > 0) this.take(await this.search(this.searchedTo + 1));
    } catch (error) {
      this.error = error;
    }
    this.isSearching = false;
    this.tell();
  }

  private take({ ranges, steps, searchedTo }: LogFound): void {
    for (const { first, last } of ranges) this.ranges.add(first - 1, last);
    for (const step of steps) this.steps.add(step);
    // If the log has become shorter in the meantime, there is nothing more to find.
    this.searchedTo = searchedTo > this.searchedTo ? searchedTo : this.goal;
    this.tell();
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop();
        resolve();
      });
    });
  }

  private tell(): void {
    this.version += 1;
    for (const listener of [...this.listeners]) listener();
  }
}
