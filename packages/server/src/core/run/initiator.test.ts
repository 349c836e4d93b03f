import { expect, test } from "vitest";
import { initiatorTexts, parseInitiator } from "./lineage.ts";

test.each([
  ["user:1", { type: "user", ref: "1" }],
  ["token:admin", { type: "token", ref: "admin" }],
  ["schedule:2", { type: "schedule", ref: "2" }],
  ["run:3", { type: "workflow", ref: "3" }],
  ["integration:webhook", { type: "instance", ref: "webhook" }],
  ["instance", { type: "instance", ref: null }],
] as const)("what is stored as %s is shown as %o", (stored, shown) => {
  expect(parseInitiator(stored)).toEqual(shown);
});

test("runs are found by what an answer shows, and by the text with its word", () => {
  for (const stored of ["user:1", "token:1", "schedule:1", "run:1", "integration:1"]) expect(initiatorTexts("1")).toContain(stored);
  expect(initiatorTexts("user:1")).toEqual(["user:1"]);
  expect(initiatorTexts("instance")).toEqual(["instance"]);
});
