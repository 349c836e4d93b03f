import { expect, test } from "vitest";
import { initiatorText } from "./run-words.ts";

const members = [
  { id: "1", email: "ada@example.com", name: "Ada", role: "owner" } as const,
  { id: "2", email: "b@example.com", role: "reader" } as const,
];

test.each([
  ["user:1", "manual", "Ada"],
  ["user:2", "manual", "b@example.com"],
  ["user:3", "manual", "somebody who left"],
  ["token:9", "webhook", "a token"],
  ["run:9", "task", "another run"],
  ["schedule:9", "schedule", "schedule"],
  [undefined, "event", "event"],
] as const)("%s by %s was started by %s", (by, trigger, text) => {
  expect(initiatorText(by, trigger, members)).toBe(text);
});
