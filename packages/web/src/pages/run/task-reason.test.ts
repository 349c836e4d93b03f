import { expect, test } from "vitest";
import { partsOf, reasonOf, whyNoLog } from "./task-reason.ts";

test("a waiting task says what it waits for, and a failed one says why and what helps", () => {
  expect(reasonOf({ status: "ready", waitingFor: "Waiting for a free slot" })).toEqual({ why: "Waiting for a free slot", help: undefined });
  expect(reasonOf({ status: "failed", reason: "ExitCode", statusMessage: "Exit code 3" })).toMatchObject({
    why: "Exit code 3",
    help: expect.stringContaining("log"),
  });
  expect(reasonOf({ status: "succeeded", reason: "Succeeded" })).toEqual({ why: undefined, help: undefined });
});

test("a sentence leads to the tasks, runs and times in it, and to nothing else", () => {
  const sentence = 'Task "a" waits for run 0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98 of "b" until 2026-01-02T03:04:05.678Z';
  expect(partsOf(sentence, (name) => name === "a")).toEqual([
    { kind: "text", text: 'Task "' },
    { kind: "task", text: "a" },
    { kind: "text", text: '" waits for run ' },
    { kind: "run", text: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98" },
    { kind: "text", text: ' of "b" until ' },
    { kind: "time", text: "2026-01-02T03:04:05.678Z" },
  ]);
});

test("an empty log says why it is empty", () => {
  expect(whyNoLog({ status: "skipped", type: "script" })).toContain("Skipped");
  expect(whyNoLog({ status: "waiting", type: "approval" })).toContain("Millrace runs this task itself");
  expect(whyNoLog({ status: "ready", type: "script", needs: "process", waitingFor: "Waiting for a free slot" })).toContain("free slot");
});
