import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { exitCodes, Failure } from "../failure.ts";

/** All of standard input, without the line end that programs add. */
export async function readPiped(): Promise<string> {
  return (await text(process.stdin)).trim();
}

/** Asks at the terminal, without showing what is typed or pasted. */
export async function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Asks only after the echo is off, since some users (and programs) answer immediately.
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", (line) => resolve(line.trim()));
      const end = () => reject(new Failure(exitCodes.interrupted, "Nothing was entered"));
      lines.once("SIGINT", end);
      lines.once("close", end);
    });
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

/** @throws {Failure} without a terminal, where nobody can answer, unless `isSure` */
export async function confirm(question: string, isSure: boolean): Promise<void> {
  if (isSure) return;
  if (!process.stdin.isTTY) throw new Failure(exitCodes.notUnderstood, `${question} needs a confirmation`, "Add --yes");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    lines.question(`${question}? [y/N] `, resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(exitCodes.failed, "Nothing was done");
}
