import type { Masker } from "../../base/secret/mask.ts";
import { encodeBlocks, type LineBlock, LineSplitter } from "../log/log-lines.ts";

/** The limit for the log of an attempt, in bytes as stored: the same as for the service's own executors. */
export const maxExternalLogBytes = 64 * 1024 * 1024;

/**
 * Lines of an external worker in the form in which they are stored. They are masked as one text, since a secret may span several lines, and
 * split where they are too long or contain line ends.
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

/** The notice that replaces lines beyond the limit of a log. */
export function packNotice(at: number): { lineCount: number; blocks: Buffer } {
  const text = Buffer.from(`The log has reached its limit of ${maxExternalLogBytes} bytes; what follows is dropped`);
  return { lineCount: 1, blocks: encodeBlocks([{ at, step: "", stream: "system", text, lines: 1 }]) };
}
