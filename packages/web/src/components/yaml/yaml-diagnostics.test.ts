import { expect, test } from "vitest";
import { diagnosticsOf } from "./yaml-pane.tsx";

const text = "kind: Task\n  bad: [\n\nend";

test.each([
  [
    { line: 1, column: 7 },
    { from: 6, to: 10 },
  ],
  [
    { line: 2, column: 3 },
    { from: 13, to: 19 },
  ],
  [
    { line: 3, column: 9 },
    { from: 20, to: 20 },
  ],
  [{ line: 4 }, { from: 21, to: 24 }],
])("%j is marked from its column to the end of its line", (fault, place) => {
  expect(diagnosticsOf(text, [{ path: "", message: "is wrong", ...fault }])).toEqual([
    { ...place, severity: "error", message: "is wrong" },
  ]);
});

test("a problem without a line, or with a line that no longer exists, is not marked", () => {
  expect(
    diagnosticsOf(text, [
      { path: "/spec", message: "a" },
      { path: "", message: "b", line: 99 },
    ]),
  ).toEqual([]);
});
