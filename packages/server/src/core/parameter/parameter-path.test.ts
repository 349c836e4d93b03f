import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followPath, parseJson } from "./parameter-path.ts";
import type { PathStep } from "./references.ts";

describe("followPath", () => {
  const value = { a: { b: [10, { c: null }] }, "x.y": 1, text: '{"in": [true]}', "0": "zero" };
  it.each<[PathStep[], unknown]>([
    [[], value],
    [["a", "b", 0], 10],
    [["a", "b", "0"], 10],
    [["a", "b", 1, "c"], null],
    [["x.y"], 1],
    [["text", "in", 0], true],
    [[0], "zero"],
  ])("%j leads to %j", (path, expected) => {
    expect(followPath(value, path)).toEqual({ found: true, value: expected });
  });

  it.each<[PathStep[], string]>([
    [["missing"], "it has no .missing"],
    [["a", "b", 2], "it has no .a.b[2]"],
    [["a", "b", "length"], "it has no .a.b.length"],
    [["a", "b", 1, "c", "d"], "it has no .a.b[1].c.d"],
    [["__proto__"], "it has no .__proto__"],
    [["constructor", "name"], "it has no .constructor"],
    [["text", "in", 0, "x"], "it has no .text.in[0].x"],
    [["x.y", "toFixed"], "it has no .x.y.toFixed"],
  ])("%j leads nowhere: %s", (path, why) => {
    expect(followPath(value, path)).toEqual({ found: false, why });
  });

  it("reads an own member named like an inherited one", () => {
    expect(followPath(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'), ["__proto__", "a"])).toEqual({ found: true, value: 1 });
  });

  it("never throws", () => {
    const step = fc.oneof(fc.string(), fc.nat(), fc.constantFrom("__proto__", "constructor", "length", "toString"));
    fc.assert(fc.property(fc.anything(), fc.array(step), (any, path) => void expect(typeof followPath(any, path).found).toBe("boolean")));
  });
});

describe("parseJson", () => {
  it.each([
    ["{}", {}],
    [" [1]", [1]],
    ["5", undefined],
    ['"a"', undefined],
    ["{", undefined],
    ["", undefined],
  ])("%j is %j", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});
