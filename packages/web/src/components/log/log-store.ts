import { ApiError } from "@millrace/client/api-error.ts";
import { t } from "../../texts/run/log.ts";
import type { AnsiStyle } from "./lines/ansi-style.ts";
import { LogPens } from "./lines/log-pens.ts";
import type { LineCriteria, LogAnswer, LogLine, LogSource } from "./log-source.ts";
import { LineFinder } from "./search/line-finder.ts";

/** Lines are kept and dropped in blocks of this many. */
const blockLines = 1_000;
/** The maximum kept in memory: characters of text, plus the overhead of each line. */
const heldCharacters = 12_000_000;
const charactersALine = 150;

interface Block {
  /** Some lines may not have been loaded yet. */
  lines: (LogLine | undefined)[];
  characters: number;
  usedAt: number;
}

/** The parts of a log that are in memory. The least recently viewed are dropped. */
class LogBlocks {
  private readonly blocks = new Map<number, Block>();
  private readonly pens = new LogPens((number) => this.blocks.get(number)?.lines);
  private characters = 0;
  private clock = 0;

  line(index: number): LogLine | undefined {
    return this.blocks.get(Math.floor(index / blockLines))?.lines[index % blockLines];
  }

  /** The style that the previous lines left set. */
  pen(index: number): AnsiStyle {
    return this.pens.penAt(Math.floor(index / blockLines), index % blockLines);
  }

  /** @param first the index of the first line */
  put(first: number, lines: readonly LogLine[]): void {
    const last = first + lines.length - 1;
    for (let number = Math.floor(first / blockLines); number <= Math.floor(last / blockLines); number++) this.pens.forget(number);
    for (const [offset, line] of lines.entries()) {
      const index = first + offset;
      const block = this.open(Math.floor(index / blockLines));
      if (block.lines[index % blockLines] !== undefined) continue;
      block.lines[index % blockLines] = line;
      block.characters += line.text.length + charactersALine;
      this.characters += line.text.length + charactersALine;
    }
    this.drop();
  }

  /** The numbers of the blocks that lack any of these lines. */
  missing(first: number, last: number): number[] {
    const numbers = new Set<number>();
    for (let index = first; index <= last; index++) {
      const number = Math.floor(index / blockLines);
      const block = this.blocks.get(number);
      if (block !== undefined) block.usedAt = ++this.clock;
      if (block?.lines[index % blockLines] === undefined) numbers.add(number);
    }
    return [...numbers];
  }

  private open(number: number): Block {
    const block = this.blocks.get(number) ?? { lines: [], characters: 0, usedAt: 0 };
    block.usedAt = ++this.clock;
    this.blocks.set(number, block);
    return block;
  }

  /** The two blocks used last are always kept: they are on the screen. */
  private drop(): void {
    if (this.characters <= heldCharacters) return;
    const oldestFirst = [...this.blocks].sort(([, a], [, b]) => a.usedAt - b.usedAt).slice(0, -2);
    for (const [number, block] of oldestFirst) {
      if (this.characters <= heldCharacters) return;
      this.blocks.delete(number);
      this.characters -= block.characters;
    }
  }
}

/** The number of lines loaded when a log is opened: its last ones. */
const tailLines = 1_000;
/**
 * The number of lines per response while the log grows. If that many have been added, more are waiting, and the view continues at the end.
 */
const pageLines = 5_000;
const loadsAtOnce = 2;
const findersKept = 6;

/**
 * The log of one task run. Opening reads its last lines and how many there are; the rest is read in blocks where somebody looks,
 * and dropped again. It grows by a stream of lines, which are counted: after a cut connection, a sleep of the machine or a restart of
 * the service reading continues at exactly the next line, so that no line is lost and none comes twice.
 */
export class LogStore {
  /** The number of lines in the log so far, in memory or not. */
  count = 0;
  /** Whether the log is complete. */
  isOver = false;
  /** Whether `count` includes everything that existed at the last request. */
  isCaughtUp = false;
  error: unknown;
  /** Why the log no longer exists, if it was removed because of its age. */
  removed: string | undefined;
  /** The steps of all lines that have been in memory. */
  readonly steps = new Set<string>();
  private readonly blocks = new LogBlocks();
  private readonly loading = new Set<number>();
  private readonly finders = new Map<string, LineFinder>();
  private readonly listeners = new Set<() => void>();
  private readonly source: LogSource;
  private wanted: { first: number; last: number } | undefined;
  /** Where to read on: a position of the service, and the index of the first line after it. */
  private next: { after: string; index: number } | undefined;
  private version = 0;
  private reading: Promise<void> | undefined;

  constructor(source: LogSource) {
    this.source = source;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getVersion = (): number => this.version;

  /** Lines that came by a stream. @param first index of the first of them */
  append(first: number, lines: readonly LogLine[]): void {
    this.put(first, lines);
    this.count = Math.max(this.count, first + lines.length);
    this.next = undefined;
    this.tell();
  }

  /** Reads on to what is there now. Whoever asks meanwhile waits for the same. */
  readOn(): Promise<void> {
    this.reading ??= this.readPages().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** Continues after an error. */
  async tryAgain(): Promise<void> {
    this.error = undefined;
    this.tell();
    await this.readOn();
    this.loadWanted();
  }

  /** Whether the whole log was loaded at once, since it is no longer than one request. */
  get isShort(): boolean {
    return this.count <= tailLines;
  }

  /** Undefined while its block isn't in memory; `want` loads it. */
  line(index: number): LogLine | undefined {
    return this.blocks.line(index);
  }

  /** The style that the previous lines left set, as far as those lines are known. */
  pen(index: number): AnsiStyle {
    return this.blocks.pen(index);
  }

  /** Makes sure these lines are loaded soon. Only the latest request counts, so that lines the user has scrolled past aren't loaded. */
  want(first: number, last: number): void {
    this.wanted = { first: Math.max(0, first), last: Math.min(last, this.count - 1) };
    this.loadWanted();
  }

  /** The search with these criteria, started or not. */
  finder(criteria: LineCriteria): LineFinder {
    const key = JSON.stringify(criteria);
    const finder = this.finders.get(key) ?? new LineFinder((fromLine) => this.source.search(criteria, fromLine));
    this.finders.delete(key);
    this.finders.set(key, finder);
    for (const old of [...this.finders.keys()].slice(0, -findersKept)) this.finders.delete(old);
    return finder;
  }

  /**
   * The nearest matching line after a line, or before it; wraps around at the ends. Waits until the log is loaded, so that a search never
   * sees an empty log by mistake.
   * @param from returns the line to start at; called once the log is loaded, because the lines in view are known only then
   */
  async nearest(criteria: LineCriteria, from: () => number, by: 1 | -1): Promise<number | undefined> {
    if (!this.isCaughtUp) await this.readOn();
    return this.finder(criteria).nearest(from(), by, this.count);
  }

  private async readPages(): Promise<void> {
    if (this.isOver) return;
    try {
      for (let isBehind = false; ; ) {
        const next: typeof this.next = isBehind ? undefined : this.next;
        const isNew = isBehind || this.count === 0;
        // A stream may bring lines before the answer comes: where those of the answer belong is known only now.
        const first = next?.index ?? this.count;
        const answer: LogAnswer = await (next !== undefined
          ? this.source.after(next.after, pageLines)
          : isNew
            ? this.source.tail(tailLines)
            : this.source.from(first + 1, pageLines));
        this.add(answer, first);
        isBehind = answer.lines.length >= pageLines;
        if (this.isOver || answer.lines.length === 0 || (next === undefined && isNew && answer.lines.length === tailLines)) break;
      }
      this.isCaughtUp = true;
      this.error = undefined;
    } catch (error) {
      if (error instanceof ApiError && error.reason === "TASKRUN_LOG_REMOVED") this.end(error);
      else this.error = error;
    }
    this.tell();
  }

  private end({ message }: ApiError): void {
    this.removed = t("logStore.logWasRemoved", { message: message.slice(message.indexOf(":")) });
    this.isOver = true;
    this.isCaughtUp = true;
  }

  /** @param asked the index of the first line that was asked for; an answer that counts for itself says it as `firstLine` */
  private add({ lines, next, firstLine }: LogAnswer, asked: number): void {
    const first = firstLine === undefined ? asked : firstLine - 1;
    this.put(first, lines);
    this.count = Math.max(this.count, first + lines.length);
    this.isOver = next === null;
    this.next = next === null ? undefined : { after: next, index: first + lines.length };
    this.tell();
  }

  private put(first: number, lines: readonly LogLine[]): void {
    for (const { step } of lines) if (step !== "") this.steps.add(step);
    this.blocks.put(first, lines);
  }

  private loadWanted(): void {
    if (this.wanted === undefined || this.error !== undefined) return;
    const { first, last } = this.wanted;
    for (const number of this.blocks.missing(first, last)) {
      if (this.loading.size >= loadsAtOnce) return;
      if (!this.loading.has(number)) void this.load(number);
    }
  }

  private async load(number: number): Promise<void> {
    this.loading.add(number);
    try {
      const end = Math.min((number + 1) * blockLines, this.count);
      for (let first = number * blockLines; first < end; ) {
        const { lines } = await this.source.from(first + 1, end - first);
        if (lines.length === 0) throw new Error(t("logStore.linesRemoved"));
        this.put(first, lines);
        first += lines.length;
      }
    } catch (error) {
      this.error = error;
    }
    this.loading.delete(number);
    this.tell();
    this.loadWanted();
  }

  private tell(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }
}
