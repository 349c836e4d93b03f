import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createMasker } from "../../../base/secret/mask.ts";
import { linesOfBlock } from "../../../core/log/log-lines.ts";
import { AttemptOutput } from "../../steps/step-output.ts";
import { JobOutput } from "./job-output.ts";

function open() {
  const pipe = new PassThrough();
  const output = new JobOutput();
  output.read(pipe, undefined);
  const begin = () => {
    const [lines, marks]: [string[], string[]] = [[], []];
    const attempt = new AttemptOutput(
      createMasker([]),
      10_000_000,
      (block) => void lines.push(...linesOfBlock(block).map(({ text }) => text)),
    );
    const { nonce, ended } = output.begin("step", attempt, (mark) => void marks.push(mark));
    return { lines, marks, nonce, ended, mark: (word: string) => `\x1e${nonce} ${word}\n` };
  };
  return { pipe, output, begin };
}

test("what a job wrote comes before its mark, however the bytes arrive", async () => {
  for (const size of [1, 7, 1_000]) {
    const { pipe, output, begin } = open();
    const { lines, marks, ended, mark, nonce } = begin();
    const text = Buffer.from(`early\n${mark("begun")}one\x1e\ntwo \x1e${nonce} nothing\n\x1e${"0".repeat(32)} done\nthree${mark("done")}`);
    for (let at = 0; at < text.length; at += size) pipe.write(text.subarray(at, at + size));
    await ended;
    expect(marks).toEqual(["begun", "done"]);
    expect(lines.map((line) => line.replace(/[^ -~]/g, ""))).toHaveLength(5);
    expect([lines[0], lines.at(-1)]).toEqual(["early", "three"]);
    expect(output.isDirty).toBe(false);
  }
});

test("a job that ends with more than is taken at once does not stop the output of the next one", async () => {
  const { pipe, begin } = open();
  const first = begin();
  // The second piece arrives while the first one is being stored.
  pipe.write(Buffer.alloc(200_000, "x"));
  pipe.write(Buffer.concat([Buffer.alloc(200_000, "x"), Buffer.from(first.mark("done"))]));
  await first.ended;
  expect(first.lines.join("")).toHaveLength(400_000);
  const second = begin();
  pipe.write(`next\n${second.mark("done")}`);
  await second.ended;
  expect([second.lines, second.marks]).toEqual([["next"], ["done"]]);
});

test("output without a job belongs to no job, and is kept", async () => {
  const { pipe, output, begin } = open();
  const { lines, ended, mark } = begin();
  pipe.write(`${mark("done")}late\n`);
  await ended;
  expect(lines).toEqual([]);
  expect(output.isDirty).toBe(true);
});

test("a job starts once: a repeated start mark counts as output, which has a limit", async () => {
  const { pipe, begin } = open();
  const { lines, marks, ended, mark } = begin();
  pipe.write(mark("begun").repeat(1000) + mark("done"));
  await ended;
  expect(marks).toEqual(["begun", "done"]);
  expect(lines).toHaveLength(999);
});

test("when the sandbox ends, a job has all of its output, even a job that starts after that", async () => {
  const { pipe, begin } = open();
  const { lines, marks, ended, nonce } = begin();
  pipe.end(`last words\n\x1e${nonce} do`);
  await ended;
  expect(lines[0]).toBe("last words");
  expect(marks).toEqual([]);
  const late = begin();
  await late.ended;
  expect(late.lines).toEqual([]);
});
