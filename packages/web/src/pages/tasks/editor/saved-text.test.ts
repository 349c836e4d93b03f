import { expect, test } from "vitest";
import { annotationsLeft, numbered, withRemovals } from "./saved-text.ts";

const document = (annotations: string) => `kind: Task # a task
metadata:
  name: a
  annotations:
${annotations}`;

test("a saved document says its new version, and nothing else in it changes", () => {
  const text = document("    millrace.dev/version: 1 # of it\n");
  expect(numbered(text, 2)).toBe(text.replace("version: 1", "version: 2"));
  expect(numbered(document("    x: y\n"), 2)).toBe(document("    x: y\n"));
});

test("annotations that were removed but are still stored are reported, except those that the service sets", () => {
  const stored = document("    millrace.dev/version: 2\n    millrace.dev/executor: process\n    x: y\n");
  expect(annotationsLeft(document("    x: y\n"), stored)).toEqual(["millrace.dev/executor"]);
  expect(annotationsLeft(stored, stored)).toEqual([]);
});

test("removed members are sent as null, and the rest of the text is unchanged", () => {
  const before = document("    millrace.dev/version: 2\n    gone: a\n    x: y # of it\n  labels:\n    old: b\n");
  expect(withRemovals(document("    x: y # of it\n"), before)).toBe(
    document("    x: y # of it\n    gone: null\n  labels:\n    old: null\n"),
  );
  expect(withRemovals(before, before)).toBe(before);
});

test("an empty list of labels takes all of them away", () => {
  expect(withRemovals("kind: Task\nmetadata:\n  labels:\n", "kind: Task\nmetadata:\n  labels:\n    old: b\n")).toBe(
    "kind: Task\nmetadata:\n  labels:\n    old: null\n",
  );
});
