import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { findInexactNumber } from "./read-body.ts";

describe("a whole number that a float can't hold", () => {
  test.each([
    ["[9007199254740993]", "9007199254740993"],
    ['{"a":"1\\"","b":-12345678901234567891}', "-12345678901234567891"],
    ["[9007199254740992]", undefined],
    ['["12345678901234567891"]', undefined],
    ['["\\"12345678901234567891"]', undefined],
    ["[0.12345678901234567891]", undefined],
    ["[1e30]", undefined],
    ["[100000000000000000000]", undefined],
  ])("in %s is %s", (text, expected) => {
    expect(findInexactNumber(text)).toBe(expected);
  });

  test("is accepted if it is written back with the same digits", () => {
    expect(findInexactNumber("[77115393103501700]")).toBeUndefined();
  });

  test("is never found in what JavaScript itself has written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findInexactNumber(JSON.stringify(value))).toBeUndefined();
      }),
    );
  });

  test("is found quickly in 8 MiB of text", () => {
    const text = JSON.stringify(["1234567890123456".repeat(524_288)]);
    const expectWithin = startWork();
    expect(findInexactNumber(text)).toBeUndefined();
    expectWithin(1000);
  });
});
