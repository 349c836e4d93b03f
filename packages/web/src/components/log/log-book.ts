import { indexOfPage, type LogPage, looksLikeError, mark, stepMask } from "./log-marks.ts";
import type { LogAnswer, LogLine, ReadLog } from "./log-page.ts";

/** Lines of a page at most, and characters after which it takes no more. */
const pageLines = 5_000;
const pageCharacters = 2_000_000;
/** Text that is held; pages that were not looked at for longest are dropped beyond it, and asked for again when they are needed. */
const heldCharacters = 24_000_000;
/** Read without being asked for. Who wants the end, an error or a search of a longer log makes it be read on. */
const readByItself = 16_000_000;

/**
 * The log of one task run, as far as it was read. It is read in JSON pages and not as the text stream, because each page names the place where it ends:
 * after a cut connection, a sleep of the machine or a restart of the service reading goes on at exactly that line, so that no line is lost and
 * none comes twice; and a page that was dropped can be asked for again. The stream has neither places, nor steps, nor streams. Of each line only a
 * byte is kept for good (its step, whether it is of stderr, whether it looks like an error), so a log of 100 MB costs a megabyte.
 */
export class LogBook {
  count = 0;
  characters = 0;
  /** Nothing more will come. */
  isOver = false;
  /** All that was there at the last look was read. */
  isCaughtUp = false;
  error: unknown;
  /** Names by their number in the marks. */
  readonly steps: string[] = [];
  /** First line that looks like an error, and first of stderr. */
  firstError: number | undefined;
  firstStderr: number | undefined;
  private readonly pages: LogPage[] = [];
  private next: string | undefined;
  private allowance = readByItself;
  private clock = 0;
  private version = 0;
  private reading: Promise<void> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly read: ReadLog;

  constructor(read: ReadLog) {
    this.read = read;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getVersion = (): number => this.version;

  /** Reads on to what is there now, or to the allowance. Whoever asks meanwhile waits for the same. */
  readOn(): Promise<void> {
    this.reading ??= this.readPages().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** However long it is. */
  readAll(): Promise<void> {
    this.allowance = Number.POSITIVE_INFINITY;
    return this.reading?.then(() => this.readOn()) ?? this.readOn();
  }

  /** True when it stopped because the log is long. */
  get isHeldBack(): boolean {
    return !this.isCaughtUp && this.characters >= this.allowance;
  }

  get isReading(): boolean {
    return this.reading !== undefined;
  }

  /** Undefined while its page is not held; `want` brings it back. */
  line(index: number): LogLine | undefined {
    const page = this.pages[indexOfPage(this.pages, index)];
    return page?.lines?.[index - page.first];
  }

  /** Step, stream and kind of a line (log-marks.ts), without its text. */
  marksOf(index: number): number {
    const page = this.pages[indexOfPage(this.pages, index)];
    return page?.marks[index - page.first] ?? 0;
  }

  stepOf(index: number): string {
    return this.steps[this.marksOf(index) & stepMask] ?? "";
  }

  /** Makes sure that these lines are held, or will be soon. */
  want(first: number, last: number): void {
    for (let index = indexOfPage(this.pages, first); index <= indexOfPage(this.pages, last); index++) {
      const page = this.pages[index];
      if (page === undefined) return;
      page.usedAt = ++this.clock;
      if (page.lines === undefined && page.loading === undefined) void this.load(page).catch((error) => this.fail(error));
    }
  }

  /** Shows each line from there on to the visitor, also those whose text is not held. */
  async visit(from: number, visitor: (line: LogLine, index: number) => void, signal: AbortSignal): Promise<void> {
    for (let at = indexOfPage(this.pages, from); at < this.pages.length && !signal.aborted; at++) {
      const page = this.pages[at] as LogPage;
      const lines = page.lines ?? (await this.load(page));
      for (let index = Math.max(0, from - page.first); index < page.count; index++) visitor(lines[index] as LogLine, page.first + index);
    }
  }

  private async readPages(): Promise<void> {
    if (this.isOver) return;
    this.isCaughtUp = false;
    try {
      while (!this.isCaughtUp && this.characters < this.allowance) {
        const answer = await this.read(this.next, pageLines);
        this.error = undefined;
        this.add(answer);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  private add({ lines, next }: LogAnswer): void {
    if (lines.length > 0) {
      const page = this.openPage();
      page.lines?.push(...lines);
      this.note(page, lines);
    }
    this.isOver = next === undefined;
    this.isCaughtUp = this.isOver || lines.length === 0;
    this.next = next ?? this.next;
    this.drop();
    this.tell();
  }

  /** The page that takes the next lines: the last one, unless it is full. Lines that trickle in make no pages of their own. */
  private openPage(): LogPage {
    const last = this.pages.at(-1);
    if (last?.lines && last.count < pageLines && last.characters < pageCharacters) return last;
    const page: LogPage = {
      after: this.next,
      first: this.count,
      count: 0,
      characters: 0,
      marks: new Uint8Array(0),
      lines: [],
      usedAt: ++this.clock,
    };
    this.pages.push(page);
    return page;
  }

  private note(page: LogPage, lines: readonly LogLine[]): void {
    const marks = new Uint8Array(page.count + lines.length);
    marks.set(page.marks);
    for (const [offset, line] of lines.entries()) {
      const index = this.count + offset;
      const isError = looksLikeError(line);
      if (isError) this.firstError ??= index;
      if (line.stream === "stderr") this.firstStderr ??= index;
      marks[page.count + offset] = mark(this.numberOf(line.step), line.stream, isError);
      page.characters += line.text.length;
      this.characters += line.text.length;
    }
    page.marks = marks;
    page.count += lines.length;
    this.count += lines.length;
  }

  /** Steps beyond what a mark can tell apart share the last number. */
  private numberOf(step: string): number {
    const known = this.steps.indexOf(step);
    if (known >= 0) return known;
    return this.steps.length > stepMask ? stepMask : this.steps.push(step) - 1;
  }

  private load(page: LogPage): Promise<LogLine[]> {
    page.loading ??= this.readAgain(page).finally(() => {
      page.loading = undefined;
    });
    return page.loading;
  }

  private async readAgain(page: LogPage): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    let after = page.after;
    while (lines.length < page.count) {
      const answer = await this.read(after, Math.min(page.count - lines.length, pageLines));
      if (answer.lines.length === 0) break;
      lines.push(...answer.lines);
      after = answer.next;
      if (after === undefined) break;
    }
    page.lines = lines;
    page.usedAt = ++this.clock;
    this.drop();
    this.tell();
    return lines;
  }

  private drop(): void {
    const held = this.pages.filter(({ lines }) => lines !== undefined).sort((a, b) => b.usedAt - a.usedAt);
    let sum = 0;
    for (const page of held) {
      sum += page.characters;
      if (sum > heldCharacters && page !== this.pages.at(-1)) page.lines = undefined;
    }
  }

  private fail(error: unknown): void {
    this.error = error;
    this.tell();
  }

  private tell(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }
}
