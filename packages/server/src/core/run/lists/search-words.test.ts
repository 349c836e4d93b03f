import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idPrefix, searchedTexts, searchQuery, storedWords, wordsOf } from "./search-words.ts";

test.each([
  ["order A-2345 failed", ["order", "a", "2345", "failed"]],
  ["ada@example.com", ["ada", "example", "com"]],
  ["https://shop.example/orders/17?x=1", ["https", "shop", "example", "orders", "17", "x", "1"]],
  ["Größe ÉCOLE 東京", ["größe", "école", "東京"]],
  ["****** — '); drop", ["drop"]],
])("%s", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

describe("what is indexed of a run", () => {
  test("is its words with their places, and marks", () => {
    expect(storedWords(["A-2345 a", "b"], ["=sfailed", "=iuser:o'x"])).toBe("'=sfailed' '=iuser:o''x' 'a':2,4 '2345':3 'b':6");
  });

  test("is bounded", () => {
    const vector = storedWords(
      Array.from({ length: 100 }, (_, n) => `${n} `.repeat(600)),
      [],
    );
    expect(vector.length).toBeLessThan(40_000);
    expect(wordsOf("x".repeat(200))[0]!.length).toBeLessThanOrEqual(64);
  });

  test("has nothing that could end a quote", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const word of wordsOf(text)) expect(word).not.toMatch(/['\\\s:]/);
      }),
    );
  });
});

describe("a search", () => {
  test("is every word, the last part of it from its beginning", () => {
    expect(searchedTexts("  a-2345  Order ... a-2345")).toEqual(["a-2345", "Order"]);
    expect(searchQuery(["a-2345", "Order", "ab"], new Map([["Order", ["0198-1"]]]), { statuses: ["failed", "timedout"] })).toBe(
      "('=sfailed' | '=stimedout') & (('a' <-> '2345':*)) & (('order':*) | '=w01981') & (('ab'))",
    );
  });

  test.each([
    ["A-2", "(('a' <-> '2'))"],
    ["A-23", "(('a' <-> '23':*))"],
    ["23", "(('23'))"],
    ["234", "(('234':*))"],
    ["ada@ex", "(('ada' <-> 'ex':*))"],
  ])("has a beginning of two characters behind another part, else of three: %s", (text, query) => {
    expect(searchQuery([text], new Map(), {})).toBe(query);
  });

  test("is an id from its beginning", () => {
    expect(idPrefix("0198c1de-7d5")).toEqual({
      first: "0198c1de-7d50-0000-0000-000000000000",
      last: "0198c1de-7d5f-ffff-ffff-ffffffffffff",
    });
    expect(idPrefix("0198C1DE")?.first).toBe("0198c1de-0000-0000-0000-000000000000");
    for (const text of ["0198c1d", "0198-c1de", "orders-1", "0198c1de7d5"]) expect(idPrefix(text), text).toBeUndefined();
  });
});
