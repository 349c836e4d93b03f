import { expect, test } from "vitest";
import { shorten } from "./shorten.ts";

test("a text that fits stays, a longer one ends with an ellipsis", () => {
  expect(shorten("", 3)).toBe("");
  expect(shorten("abc", 3)).toBe("abc");
  expect(shorten("abcd", 3)).toBe("abc…");
});

test("no character is cut in half", () => {
  expect(shorten("ab😀", 3)).toBe("ab…");
  expect(shorten("a😀b", 3)).toBe("a😀…");
});
