/**
 * A line of a log as it is stored: one JSON array a line, `[epoch ms, step, stream, text]`, many of them deflated into a chunk.
 */
export interface StoredLine {
  at: number;
  step: string;
  stream: "stdout" | "stderr" | "system";
  text: string;
}

/** What JSON writes otherwise than it is. Half of a surrogate pair can't come: the text was decoded from UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const escaped = /["\\\u0000-\u001f]/;

/** Written by hand around the text: all output goes through here, and JSON of each line as a list takes three times as long. */
export function encodeLines(lines: readonly StoredLine[]): string {
  let step: string | undefined;
  let head = "";
  let encoded = "";
  for (const line of lines) {
    if (line.step !== step) {
      step = line.step;
      head = `,${JSON.stringify(step)},"`;
    }
    const text = escaped.test(line.text) ? JSON.stringify(line.text) : `"${line.text}"`;
    encoded += `${encoded === "" ? "[" : "\n["}${line.at}${head}${line.stream}",${text}]`;
  }
  return encoded;
}

export function decodeLines(text: string): StoredLine[] {
  if (text === "") return [];
  return text.split("\n").map((line) => {
    const [at, step, stream, content] = JSON.parse(line) as [number, string, StoredLine["stream"], string];
    return { at, step, stream, text: content };
  });
}
