import { open } from "node:fs/promises";

const pieceBytes = 65_536;
/** A longer line is cut off. */
const maxLineBytes = 32_768;

/** Some complete lines, and how many bytes were read for them. */
export interface Lines {
  texts: string[];
  bytes: number;
}

/**
 * Reads a list of the kernel whose length others control, some lines at a time, so that no more than that is in memory.
 *
 * @param limitBytes the most to read
 * @returns the lines; `too long` comes last if there is more than the limit, or an implausibly long line
 */
export async function* readLines(path: string, limitBytes: number): AsyncGenerator<Lines | "too long", void, undefined> {
  const file = await open(path, "r");
  try {
    const piece = Buffer.alloc(pieceBytes);
    let rest = "";
    for (let left = limitBytes; ; ) {
      const { bytesRead } = await file.read(piece, 0, pieceBytes, null);
      if (bytesRead === 0) break;
      left -= bytesRead;
      const texts = (rest + piece.toString("latin1", 0, bytesRead)).split("\n");
      rest = texts.pop() ?? "";
      if (left < 0 || rest.length > maxLineBytes) return yield "too long";
      yield { texts, bytes: bytesRead };
    }
    if (rest !== "") yield { texts: [rest], bytes: 0 };
  } finally {
    await file.close();
  }
}

/** The beginning of such a file. */
export async function readBeginning(path: string, limitBytes: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const pieces: string[] = [];
    const piece = Buffer.alloc(pieceBytes);
    for (let left = limitBytes; left > 0; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, left), null);
      if (bytesRead === 0) break;
      pieces.push(piece.toString("latin1", 0, bytesRead));
      left -= bytesRead;
    }
    return pieces.join("");
  } finally {
    await file.close();
  }
}
