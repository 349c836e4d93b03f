import { randomBytes } from "node:crypto";

/**
 * Standard output of a script is its result, and has to be distinguished from standard error; in the log both are to stand in the order of
 * writing. Of two pipes nobody can say which was written first, so what the script writes to standard error comes through the pipe
 * of standard output too, in frames: a mark that nobody can guess, six hex digits for the number of bytes, and these bytes. What
 * other programs that the script starts write to their standard error goes past it.
 */

/** @returns {string} what frames of one process begin with */
export function newMark() {
  return `\x01${randomBytes(16).toString("hex")}:`;
}

const lengthDigits = 6;

/**
 * @param {string} mark
 * @param {{ out(bytes: Buffer): void, err(bytes: Buffer): void }} to
 * @returns {{ write(chunk: Buffer): void, end(): void }}
 */
export function splitFrames(mark, to) {
  const sign = Buffer.from(mark, "latin1");
  let rest = Buffer.alloc(0);
  /** Bytes of a frame that are still to come. */
  let left = 0;

  /** @param {Buffer} bytes */
  const readFrame = (bytes) => {
    const part = bytes.subarray(0, left);
    left -= part.length;
    to.err(part);
    return bytes.subarray(part.length);
  };
  /** Up to the next frame; undefined: what is left may be the beginning of one. @param {Buffer} bytes */
  const readOutput = (bytes) => {
    const at = bytes.indexOf(sign);
    const end = at === -1 ? bytes.length - endOfStart(bytes, sign) : at;
    if (end > 0) to.out(bytes.subarray(0, end));
    const head = end + sign.length + lengthDigits;
    if (at === -1 || bytes.length < head) return { isHeld: true, bytes: bytes.subarray(end) };
    left = Number.parseInt(bytes.toString("latin1", head - lengthDigits, head), 16);
    return { isHeld: false, bytes: bytes.subarray(head) };
  };

  return {
    write(chunk) {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = Buffer.alloc(0);
      while (bytes.length > 0) {
        if (left > 0) {
          bytes = readFrame(bytes);
          continue;
        }
        const read = readOutput(bytes);
        if (read.isHeld) {
          rest = read.bytes;
          return;
        }
        bytes = read.bytes;
      }
    },
    end() {
      if (rest.length > 0) to.out(rest);
      rest = Buffer.alloc(0);
    },
  };
}

/** How many bytes at the end may be the beginning of a mark. @param {Buffer} bytes @param {Buffer} sign */
function endOfStart(bytes, sign) {
  for (let length = Math.min(sign.length - 1, bytes.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(sign.subarray(0, length))) return length;
  }
  return 0;
}
