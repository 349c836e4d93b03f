import { expect, test } from "vitest";
import { nameOf, readChoice, writeChoice } from "./line-choice.ts";

test.each([
  ["120", { anchor: 119, cursor: 119 }, "120", "line 120"],
  ["L120", { anchor: 119, cursor: 119 }, "120", "line 120"],
  ["120-130", { anchor: 119, cursor: 129 }, "120-130", "lines 120 to 130"],
  ["L1300-L1200", { anchor: 1299, cursor: 1199 }, "1200-1300", "lines 1,200 to 1,300"],
])("%s", (text, choice, written, name) => {
  expect(readChoice(text)).toEqual(choice);
  expect([writeChoice(choice), nameOf(choice)]).toEqual([written, name]);
});

test.each(["", "0", "0-3", "-3", "L", "12x", "1-2-3", "99999999999"])("%j names no line", (text) => {
  expect(readChoice(text)).toBeUndefined();
});
