import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findRepeatedMember } from "./read-body.ts";

describe("a duplicate member", () => {
  test.each([
    ['{"a":1,"a":2}', "/a"],
    ['{"b":[{"a":1},{"a":1,"c":{}, "a" : 2}]}', "/b/1/a"],
    ['{"x":{"a/b~":1,"\\u0061/b~":2}}', "/x/a~1b~0"],
    ['[[{"":1,"":2}]]', "/0/0/"],
    ['{"a":1,"b":{"a":1},"c":["a","a"],"A":2}', undefined],
    ['{"a":"a","b":"\\"a\\":","c":"{\\"a\\":1,\\"a\\":1}"}', undefined],
    ['"a"', undefined],
    ["[]", undefined],
  ])("in %s is %s", (text, expected) => {
    expect(findRepeatedMember(text)).toBe(expected);
  });

  test("is never found in what JavaScript itself has written, and always in an object written twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const text = JSON.stringify(value);
        expect(findRepeatedMember(text)).toBeUndefined();
        const member = `${JSON.stringify(name)}:${text}`;
        expect(findRepeatedMember(`[1,{${member},"other ${"x".repeat(name.length)}":0,${member}}]`)).toMatch(/^\/1\//);
      }),
    );
  });
});
