import type { Masker } from "../../base/secret/mask.ts";
import { encodeBlocks, type LineBlock } from "../log/log-line.ts";
import { LineSplitter } from "../log/log-lines.ts";

/** Of the log of an attempt, in bytes as they are stored: as much as the service's own executors keep. */
export const maxExternalLogBytes = 64 * 1024 * 1024;

/**
 * Lines of an external worker as they are stored. They are masked as one text, since a secret may have several lines, and cut where they
 * are too long or have line ends.
 * @param at epoch ms
 */
export function packLines(lines: readonly string[], masker: Masker, at: number): { lineCount: number; blocks: Buffer } {
  const blocks: LineBlock[] = [];
  const splitter = new LineSplitter((text, count) =>
    blocks.push({ at, step: "", stream: "output", text: Buffer.from(text), lines: count }),
  );
  splitter.push(Buffer.from(masker.maskText(`${lines.join("\n")}\n`)));
  splitter.end();
  return { lineCount: blocks.reduce((sum, block) => sum + block.lines, 0), blocks: encodeBlocks(blocks) };
}

/** What is said instead of what a log has no room for. */
export function packNotice(at: number): { lineCount: number; blocks: Buffer } {
  const text = Buffer.from(`The log has reached its limit of ${maxExternalLogBytes} bytes; what follows is dropped`);
  return { lineCount: 1, blocks: encodeBlocks([{ at, step: "", stream: "system", text, lines: 1 }]) };
}
