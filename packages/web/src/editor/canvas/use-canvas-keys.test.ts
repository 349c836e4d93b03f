import { expect, test } from "vitest";
import { keyOf } from "./use-canvas-keys.ts";

test.each([
  ["z", false, "z"],
  ["Z", true, "Z"],
  // With Caps Lock.
  ["Z", false, "z"],
  ["z", true, "Z"],
  ["?", true, "?"],
  ["Delete", false, "Delete"],
  ["Escape", true, "Escape"],
])("the key %s, with Shift: %s, is %s", (key, shiftKey, expected) => {
  expect(keyOf({ key, shiftKey })).toBe(expected);
});
