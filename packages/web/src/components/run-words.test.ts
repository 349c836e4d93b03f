import { expect, test } from "vitest";
import { initiatorText, rerunKind, starterId, startWord } from "./run-words.ts";

test.each([
  [{ initiatedByType: "user", initiatedByName: "Ada", trigger: "manual" }, "Ada"],
  [{ initiatedByType: "user", trigger: "manual" }, "a deleted user"],
  [{ initiatedByType: "token", initiatedByName: "ci", trigger: "webhook" }, "ci"],
  [{ initiatedByType: "token", trigger: "webhook" }, "a deleted token"],
  [{ initiatedByType: "workflow", initiatedByName: "deploy", trigger: "task" }, "a run of deploy"],
  [{ initiatedByType: "workflow", trigger: "task" }, "another run"],
  [{ initiatedByType: "schedule", initiatedByName: "nightly", trigger: "schedule" }, "nightly"],
  [{ initiatedByType: "instance", initiatedByName: "webhook", trigger: "webhook" }, "webhook"],
  [{ trigger: "event" }, "event"],
] as const)("%o was started by %s", (run, text) => {
  expect(initiatorText(run)).toBe(text);
});

const again = { trigger: "engine", initiatedByType: "user", retryOf: "1", labels: {} } as const;

test.each([
  ["a first run", { trigger: "engine", initiatedByType: "user", labels: {} }, undefined, "API"],
  ["a rerun", again, "single", "rerun"],
  ["one of many reruns", { ...again, labels: { "millrace.dev/bulk": "7" } }, "bulk", "bulk rerun"],
  ["a retry that the run asks for", { ...again, labels: { "millrace.dev/retry": "automatic" } }, "automatic", "automatic retry"],
  ["such a retry of an earlier version", { ...again, initiatedByType: "schedule" }, "automatic", "automatic retry"],
] as const)("%s says so instead of the trigger of its original", (_, run, kind, word) => {
  expect(rerunKind(run)).toBe(kind);
  expect(startWord(run)).toBe(word);
});

test("the initiator of a run is recognised by id, and a person is distinguished from a token", () => {
  expect(starterId({ initiatedByType: "user", initiatedByRef: "1" })).toBe("user:1");
  expect(starterId({ initiatedByType: "token", initiatedByRef: "1" })).toBe("token:1");
  expect(starterId({})).toBe(undefined);
});
