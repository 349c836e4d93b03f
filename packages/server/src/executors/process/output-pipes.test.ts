import { closeSync, constants, fstatSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createOutputPipes, type OutputPipe } from "./output-pipes.ts";

const folder = await mkdtemp(join(tmpdir(), "millrace-pipes-"));
const pipes = createOutputPipes(folder);
afterAll(() => rm(folder, { recursive: true }));

async function readToEnd({ reader }: OutputPipe): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of reader) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe("a pipe for the output of a step", () => {
  test("is not reused for another step, also if the first one kept it open unseen", async () => {
    const first = await pipes.open();
    // O_PATH, which Node does not export: neither a reader nor a writer, but a way to become one later.
    const kept = openSync(first.path, 0o10000000);
    first.handOver();
    expect(await readToEnd(first)).toBe("");
    first.close();
    // While it is held, its inode number is not reused.
    const number = fstatSync(kept).ino;
    const later = await Promise.all(Array.from({ length: 200 }, () => pipes.open()));
    expect(later.map(({ path }) => statSync(path).ino)).not.toContain(number);
    for (const pipe of later) pipe.close();
    closeSync(kept);
  });

  test("can be opened once more by the program that writes to it, as `tee /dev/stderr` does", async () => {
    const pipe = await pipes.open();
    const first = openSync(pipe.path, constants.O_WRONLY);
    pipe.handOver();
    const again = openSync(`/proc/self/fd/${first}`, constants.O_WRONLY);
    closeSync(first);
    writeSync(again, "said");
    closeSync(again);
    expect(await readToEnd(pipe)).toBe("said");
    pipe.close();
  });

  test("has no name once the program that writes to it has it open", async () => {
    const before = readdirSync(folder).length;
    const pipe = await pipes.open();
    pipe.handOver();
    expect(readdirSync(folder).length).toBe(before - 1);
    pipe.close();
  });
});
