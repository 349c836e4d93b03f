import { expect, test } from "vitest";
import { matches } from "./matches.ts";

test.each([
  ["", true],
  ["hawk", true],
  ["HAWKS the", true],
  ["hawks owls", false],
  ["  the  ", true],
])("what is found by %j", (find, isFound) => expect(matches(find, "hawks", "The Hawks", undefined)).toBe(isFound));
