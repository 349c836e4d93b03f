import { expect, test } from "vitest";
import { shorten, shortenMiddle } from "./shorten.ts";

test("a text that fits stays, a longer one ends with an ellipsis", () => {
  expect(shorten("", 3)).toBe("");
  expect(shorten("abc", 3)).toBe("abc");
  expect(shorten("abcd", 3)).toBe("abc…");
});

test("no character is cut in half", () => {
  expect(shorten("ab😀", 3)).toBe("ab…");
  expect(shorten("a😀b", 3)).toBe("a😀…");
});

test("both ends of a text stay, and no character is cut in half", () => {
  expect(shortenMiddle("abcd", 4)).toBe("abcd");
  expect(shortenMiddle("abcdefgh", 4)).toBe("ab…gh");
  expect(shortenMiddle("a😀bcd😀e", 4)).toBe("a…e");
});
