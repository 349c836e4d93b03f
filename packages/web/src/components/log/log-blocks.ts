import type { AnsiStyle } from "./lines/ansi-style.ts";
import { LogPens } from "./lines/log-pens.ts";
import type { LogLine } from "./log-source.ts";

/** Lines are held and dropped in blocks of so many. */
export const blockLines = 1_000;
/** What is held at most: characters of text, and what a line costs beside them. */
const heldCharacters = 12_000_000;
const charactersALine = 150;

interface Block {
  /** Some of them may not have been read yet. */
  lines: (LogLine | undefined)[];
  characters: number;
  usedAt: number;
}

/** The parts of a log that are in memory. Those that were not looked at for longest are dropped. */
export class LogBlocks {
  private readonly blocks = new Map<number, Block>();
  private readonly pens = new LogPens((number) => this.blocks.get(number)?.lines);
  private characters = 0;
  private clock = 0;

  line(index: number): LogLine | undefined {
    return this.blocks.get(Math.floor(index / blockLines))?.lines[index % blockLines];
  }

  /** The colour that the lines above have left on. */
  pen(index: number): AnsiStyle {
    return this.pens.penAt(Math.floor(index / blockLines), index % blockLines);
  }

  /** @param first index of the first of them */
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

  /** Numbers of the blocks in which one of these lines is missing. */
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

  /** The two that were used last stay in any case: they are on the screen. */
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
