import { applyLimits } from "@millrace/contract/apply.ts";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { DocumentDiffs } from "./diff-documents.ts";

const diff = (before: Parameters<DocumentDiffs["diff"]>[1], after: Parameters<DocumentDiffs["diff"]>[1]) =>
  new DocumentDiffs().diff("Workflow w", before, after);

test("a diff is what a program for patches reads", () => {
  const [before, after] = ["a: 1\nb: 2\nc: 3\n", "a: 1\nb: 4\nc: 3\n"];
  const { diff: text = "" } = diff(before, after);
  expect(text).toBe("--- Workflow w\n+++ Workflow w\n@@ -1,3 +1,3 @@\n a: 1\n-b: 2\n+b: 4\n c: 3\n");
  expect(applyPatch(before, text)).toBe(after);
});

test("values are compared as YAML, and nothing is said where both look the same", () => {
  expect(diff({ a: "x\ny\n" }, { a: "x\nz\n" }).diff).toContain("-  y\n+  z\n");
  expect(diff({ a: 1 }, { a: 1 })).toEqual({});
  expect(diff(undefined, { a: 1 }).diff).toBe("--- /dev/null\n+++ Workflow w\n@@ -0,0 +1,1 @@\n+a: 1\n");
  expect(diff({ a: 1 }, undefined).diff).toContain("+++ /dev/null\n");
});

test("a long diff is cut between characters, and one of large documents is left out", () => {
  const cut = diff(undefined, { a: "🙂".repeat(applyLimits.diffLength) });
  expect(cut.isDiffCut).toBe(true);
  expect(cut.diff?.length).toBeLessThanOrEqual(applyLimits.diffLength);
  expect(cut.diff).not.toMatch(/\p{Surrogate}/u);
  expect(diff(undefined, { a: "x".repeat(300_000) })).toEqual({ isDiffCut: true });
});

test("a set has a budget, and documents that have nothing in common cost little", () => {
  const text = (offset: number) => Array.from({ length: 15_000 }, (_, line) => `${line + offset}`).join("\n");
  const [one, other] = [text(10_000), text(50_000)];
  const done = startWork();
  const diffs = new DocumentDiffs();
  const all = Array.from({ length: 500 }, () => diffs.diff("x", one, other));
  done(1_000);
  expect(all.filter(({ diff }) => diff !== undefined).length).toBeLessThan(10);
});
