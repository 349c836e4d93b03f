import { expect, test } from "vitest";
import { memberChanges } from "./changes.ts";

test.each([
  [
    { a: "1", b: "2" },
    { b: "3", c: "4" },
    { a: null, b: "3", c: "4" },
  ],
  [{ a: "1" }, undefined, { a: null }],
  [null, { a: "1" }, { a: "1" }],
  [undefined, undefined, {}],
])("%j written as %j is sent so that removed members are deleted", (before, after, sent) => {
  expect(memberChanges(before, after)).toEqual(sent);
});
