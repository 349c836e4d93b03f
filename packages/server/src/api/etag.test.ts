import { expect, test } from "vitest";
import { etagOf, requireMatch } from "./etag.ts";

test("a tag is one opaque quoted text", () => {
  expect(etagOf("0198", 3)).toBe('"0198-3"');
  expect(etagOf('a"b c\n', 1)).toBe('"a_b_c_-1"');
});

test.each([
  [undefined, '"a"'],
  [undefined, undefined],
  ['"a"', '"a"'],
  ['"b", "a"', '"a"'],
  ["*", '"a"'],
])("If-Match %s lets a change of %s through", (header, current) => expect(() => requireMatch(header, current)).not.toThrow());

test.each([
  ['"b"', '"a"'],
  ['W/"a"', '"a"'],
  ["*", undefined],
  ['"a"', undefined],
])("If-Match %s refuses a change of %s", (header, current) => expect(() => requireMatch(header, current)).toThrow(/If-Match/));
