import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import { turnScript } from "./pod-scripts.ts";
import { turnFile } from "./turn-file.ts";

const shells = [["dash"], ["bash", "--posix"], ["busybox", "sh"]].filter(
  ([program = "", ...args]) => spawnSync(program, [...args, "-c", ":"]).status === 0,
);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turn-"));
  for (const name of ["results", "values"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

const result = (name: string): string => join(folder, `results/.a.${name}`);
const value = (name: string) => ({ step: "a", result: name });

/** What the collector learns about the step, and what the step is given. */
function turn(shell: readonly string[], step: Partial<JobStep>): { said: string; values: Buffer[] } {
  const [program = "", ...args] = shell;
  writeFileSync(join(folder, "turn"), turnScript.replaceAll("/task/results", join(folder, "results")));
  writeFileSync(join(folder, "step"), turnFile({ name: "b", ...step }));
  const { stdout, stderr, status } = spawnSync(program, [...args, ...["turn", "step", "values"].map((name) => join(folder, name))], {
    encoding: "utf8",
    timeout: 30_000,
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const numbers = [1, 2].filter((number) => spawnSync("test", ["-e", join(folder, "values", String(number))]).status === 0);
  return { said: stdout, values: numbers.map((number) => readFileSync(join(folder, "values", String(number)))) };
}

describe.each(shells.map((shell) => ({ shell })))("the turn of a step in a pod, by $shell", ({ shell }) => {
  test("passes texts of results like the other executors, for any bytes", () => {
    const byte = fc.constantFrom(0, 10, 65, 127, 128, 159, 160, 191, 192, 194, 224, 225, 237, 240, 244, 245, 255);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), (bytes) => {
        writeFileSync(result("x"), Buffer.from(bytes));
        const { said, values } = turn(shell, { args: [[value("x")]] });
        expect(said).toBe("");
        expect(values[0]?.toString("hex")).toBe(
          Buffer.from(Buffer.from(bytes).toString("utf8").replaceAll("\0", "\ufffd")).toString("hex"),
        );
      }),
      { numRuns: 25 },
    );
  });

  test("refuses anything that is not a file, without waiting", () => {
    expect(turn(shell, { args: [[value("x")]] }).said).toBe("refuse 1 missing\n");
    spawnSync("mkfifo", [result("pipe")]);
    symlinkSync("/etc/passwd", result("link"));
    mkdirSync(result("folder"));
    for (const name of ["pipe", "link", "folder"])
      expect(turn(shell, { args: [[value(name)]] })).toMatchObject({ said: "refuse 1 missing\n", values: [] });
    writeFileSync(result("x"), "x".repeat(65_537));
    expect(turn(shell, { args: [[value("x")]] }).said).toBe("refuse 1 large\n");
    writeFileSync(result("x"), "\0".repeat(30_000));
    expect(turn(shell, { args: [[value("x")]] }).said).toBe("refuse 1 large\n");
    writeFileSync(result("x"), "x".repeat(65_000));
    expect(turn(shell, { args: [[value("x"), value("x"), "-"]] }).said).toBe("refuse 0 long\n");
    rmSync(join(folder, "results"), { recursive: true });
    symlinkSync("/etc", join(folder, "results"));
    expect(turn(shell, { args: [[value("x")]] }).said).toBe("refuse 1 missing\n");
  });

  test("compares texts exactly, and a missing value fails the condition", () => {
    const odd = ["*", "!", "(", "-n", "=", "'", "$(exit 3)", "", "a\n"];
    for (const word of odd) {
      writeFileSync(result("x"), word);
      const holds = turn(shell, { when: [{ input: word, operator: "in", values: ["other", [value("x")]] }] });
      expect(holds.said, JSON.stringify(word)).toBe("");
      const not = { input: [value("x")], operator: "notin" as const, values: odd.filter((other) => other !== word) };
      expect(turn(shell, { when: [not] }).said, JSON.stringify(word)).toBe("");
    }
    expect(turn(shell, { when: [{ input: "a", operator: "in", values: ["b"] }], args: [[value("none")]] }).said).toBe("skip\n");
  });
});
