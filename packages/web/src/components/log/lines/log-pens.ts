import type { LogLine } from "../log-source.ts";
import { type AnsiStyle, styleAfter } from "./ansi-style.ts";

/** Where a part of a log ends: what continues into the next one. */
interface PartEnd {
  pen: AnsiStyle;
  step: string;
}

interface Pens {
  start: PartEnd;
  /** The style at the beginning of each line. */
  pens: AnsiStyle[];
}

const plain: PartEnd = { pen: "", step: "" };

/**
 * With what colour each line begins, block by block. A colour continues from line to line up to a reset, and ends where another step
 * begins: that is another program. It also continues from block to block, and what a block ends with is remembered when the block is
 * dropped. Behind lines that were never loaded (who opens a long log sees its end, who jumps sees a middle) nothing is known of the
 * colour: from there on lines are plain, up to the first one that sets a colour itself, and get theirs when somebody scrolls up and
 * what is above is loaded.
 */
export class LogPens {
  private readonly held = new Map<number, Pens>();
  private readonly ends = new Map<number, PartEnd>();
  private readonly linesOf: (block: number) => readonly (LogLine | undefined)[] | undefined;

  /** @param linesOf returns undefined for a block that isn't in memory */
  constructor(linesOf: (block: number) => readonly (LogLine | undefined)[] | undefined) {
    this.linesOf = linesOf;
  }

  penAt(block: number, place: number): AnsiStyle {
    return this.settle(block)?.pens[place] ?? "";
  }

  /** Called when lines of the block have arrived. */
  forget(block: number): void {
    this.held.delete(block);
  }

  /** Computes from the first of the consecutive blocks in memory, because each block starts with the final style of the previous one. */
  private settle(block: number): Pens | undefined {
    let first = block;
    while (this.linesOf(first - 1) !== undefined) first -= 1;
    for (let number = first; number < block; number++) this.settleOne(number);
    return this.settleOne(block);
  }

  private settleOne(block: number): Pens | undefined {
    const lines = this.linesOf(block);
    if (lines === undefined) return undefined;
    const start = this.ends.get(block - 1) ?? plain;
    const known = this.held.get(block);
    if (known !== undefined && known.start.pen === start.pen && known.start.step === start.step) return known;
    const { pens, end } = pensOf(lines, start);
    const settled = { start, pens };
    this.held.set(block, settled);
    this.ends.set(block, end);
    return settled;
  }
}

function pensOf(lines: readonly (LogLine | undefined)[], start: PartEnd): { pens: AnsiStyle[]; end: PartEnd } {
  let { pen, step } = start;
  const pens: AnsiStyle[] = [];
  for (let place = 0; place < lines.length; place++) {
    const line = lines[place];
    if (line === undefined || line.step !== step) pen = "";
    pens.push(pen);
    if (line === undefined) continue;
    step = line.step;
    pen = styleAfter(pen, line.text);
  }
  return { pens, end: { pen, step } };
}
