/**
 * A line of a log as it is stored: one JSON array a line, `[epoch ms, step, stream, text]`, many of them deflated into a chunk.
 */
export interface StoredLine {
  at: number;
  step: string;
  stream: "stdout" | "stderr" | "system";
  text: string;
}

export function encodeLines(lines: readonly StoredLine[]): string {
  return lines.map((line) => JSON.stringify([line.at, line.step, line.stream, line.text])).join("\n");
}

export function decodeLines(text: string): StoredLine[] {
  if (text === "") return [];
  return text.split("\n").map((line) => {
    const [at, step, stream, content] = JSON.parse(line) as [number, string, StoredLine["stream"], string];
    return { at, step, stream, text: content };
  });
}
