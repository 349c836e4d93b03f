import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { checkJson, cleanJson, cleanText, maxJsonDepth } from "./json-guard.ts";

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1);
}

describe("checkJson", () => {
  it.each<[unknown, string, RegExp]>([
    ["a\0b", "", /NUL/],
    [{ a: ["ok", "\ud800"] }, "/a/1", /surrogate/],
    [{ a: { "x\0": 1 } }, "/a/x\u2400", /NUL/],
    [{ "a/b~c": "\0" }, "/a~1b~0c", /NUL/],
    ["\udc00\ud800", "", /surrogate/],
    [Number.NaN, "", /number/],
    [[Number.POSITIVE_INFINITY], "/0", /number/],
    [[undefined], "/0", /undefined/],
    [{ f: () => 1 }, "/f", /function/],
    [[10n], "/0", /bigint/],
    [nested(maxJsonDepth + 1), "/0".repeat(maxJsonDepth), /deeper than 64/],
  ])("%#: problem at %s", (value, path, message) => {
    expect(checkJson(value)).toEqual({ path, message: expect.stringMatching(message) });
  });

  it("takes every JSON value of storable texts", () => {
    expect(checkJson(nested(maxJsonDepth))).toBeUndefined();
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: "grapheme", maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes("\\u0000")),
        (value) => void expect(checkJson(value)).toBeUndefined(),
      ),
    );
  });

  it("ends for a value in a circle", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(checkJson(circle)?.message).toMatch(/deeper/);
  });

  it("is fast on large values", () => {
    const large = Array.from({ length: 100_000 }, (_, index) => ({ name: `n${index}`, value: "x".repeat(20) }));
    const expectWithin = startWork();
    checkJson(large);
    checkJson("é".repeat(4_000_000));
    expectWithin(1000);
  });
});

describe("cleanText and cleanJson", () => {
  it.each([
    ["plain é 😀", "plain é 😀"],
    ["a\0b", "a␀b"],
    ["a\ud800b\udc00", "a\ufffdb\ufffd"],
    ["\ud83d\ude00\ud83d", "😀\ufffd"],
  ])("%j becomes %j", (text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  it("leaves a good value the very same", () => {
    const good = { a: [1, "x"] };
    expect(cleanJson(good)).toBe(good);
  });

  it("makes any value one that can be kept", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\0", "\ud800", "\udc00", "😀") });
    const value = fc.oneof(fc.anything(), fc.array(text), fc.dictionary(text, fc.oneof(text, fc.double())), fc.nat(90).map(nested));
    fc.assert(fc.property(value, (any) => void expect(checkJson(cleanJson(any))).toBeUndefined()));
  });
});
