import { isUtf8 } from "node:buffer";

const tab = 0x09;
const lineFeed = 0x0a;
const escapeSign = 0x1b;

/**
 * Whether lines can be kept and shown as they are: UTF-8 without control characters, tabs, line feeds and colour sequences aside.
 * Four bytes are examined together, in a third of the time that a pattern takes for them, since all output goes through here.
 */
export function isSafe(bytes: Buffer): boolean {
  if (bytes.length < 8) return areSafe(bytes, 0, bytes.length) && isUtf8(bytes);
  // An Int32Array must start at a multiple of four.
  const head = -bytes.byteOffset & 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2);
  const tail = head + words.length * 4;
  return areSafe(bytes, 0, head) && areSafeWords(bytes, head, words) && areSafe(bytes, tail, bytes.length) && isUtf8(bytes);
}

/**
 * A byte needs a closer look if its highest bit is set: in the byte itself, after subtracting 0x20 (the byte is less), or after adding 1
 * (it is 0x7f). A byte that borrows or carries is such a byte itself, so none is missed. A space beside a line feed may also be reported,
 * and the closer look accepts it.
 */
function areSafeWords(bytes: Buffer, head: number, words: Int32Array): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    if ((((word - 0x20202020) | word | (word + 0x01010101)) & 0x80808080) === 0) continue;
    const start = head + at * 4;
    if (!areSafe(bytes, start, start + 4)) return false;
  }
  return true;
}

/** Does not check whether the bytes are UTF-8. */
function areSafe(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if ((byte >= 0x20 && byte < 0x7f) || byte === lineFeed || byte === tab) continue;
    if (byte === escapeSign ? isColour(bytes, at) : byte >= 0x80 && !isC1(bytes, at)) continue;
    return false;
  }
  return true;
}

/** U+0080 to U+009F: the control characters beyond ASCII. */
function isC1(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xc2 && (bytes[at + 1] ?? 0) < 0xa0;
}

const longestColour = 40;

/** A colour sequence, such as `ESC [ 1;31 m`, up to the same length as elsewhere (log-lines.ts). */
function isColour(bytes: Buffer, at: number): boolean {
  if (bytes[at + 1] !== 0x5b) return false;
  let end = at + 2;
  while (end - at - 2 < longestColour && isColourByte(bytes[end])) end++;
  return bytes[end] === 0x6d;
}

/** Digits, colon and semicolon are adjacent in ASCII. */
function isColourByte(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x3b;
}

/** Whether no line is longer than that. @returns false also when the last one may continue */
export function hasShortLines(bytes: Buffer, maxBytes: number): boolean {
  for (let start = 0; start + maxBytes < bytes.length; ) {
    const end = bytes.lastIndexOf(lineFeed, start + maxBytes);
    if (end < start) return false;
    start = end + 1;
  }
  return true;
}
