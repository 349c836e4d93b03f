import { expect, test } from "vitest";
import { instructionsLine } from "./actions-table.tsx";

test.each([
  [null, ""],
  ["\n\n# Read this\nand that", "Read this"],
  ["Look at the **notes** of [1.4](https://x.example) first", "Look at the notes of 1.4 first"],
  ["---\n- `one`", "one"],
])("%j reads %s", (markdown, line) => {
  expect(instructionsLine(markdown)).toBe(line);
});
