import type { AbstractParam } from "@millrace/contract/common.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkParamDefault, checkParamValue, checkParamValues } from "./parameters-check.ts";

const options = [{ key: "red", value: "Red" }, { key: "1" }];

describe("checkParamValue", () => {
  it.each<[string | undefined, unknown[], unknown[], RegExp]>([
    ["number", [5, -1.5, "5", " 1e3 "], ["five", true, [], {}, " ", "1,5"], /must be a number, but is/],
    ["boolean", [true, false, "true", "false"], ["yes", 1, "True", []], /must be true or false/],
    ["email", ["a@b.example", "x+y@z"], ["a", "a@", "a b@c", 5, ["a@b"]], /must be an email address/],
    ["url", ["https://x.example/a?b", "mailto:a@b"], ["x.example", "//x", 5, {}], /must be a URL/],
    ["select", ["red", "1", 1], ["Red", "blue", ["red"], {}], /must be one of red, 1/],
    ["multiselect", [[], ["red"], ["red", 1]], ["red", ["blue"], [["red"]], {}], /must be a list of any of red, 1/],
    ["json", [{}, [], 5, true, "{}", "[1]", '"x"'], ["{", "text"], /must be JSON/],
    ["password", ["hunter2"], ["abc", 12345, ["long-enough"]], /secret/],
    ["text", ["x", 5, true, {}, []], [], /./],
    ["texteditor::shell", ["echo", { a: 1 }], [], /./],
    ["something new", ["x", 5], [], /./],
    ["__proto__", ["x"], [], /./],
    ["constructor", ["x"], [], /./],
    [undefined, ["x", 5], [], /./],
  ])("%s takes %j and refuses %j", (type, good, bad, message) => {
    const param: AbstractParam = { name: "p", type, options };
    for (const value of good) expect(checkParamValue(param, value)).toBeUndefined();
    for (const value of bad) expect(checkParamValue(param, value)).toMatch(message);
  });

  it("takes a text for what a workflow declared as secret before secrets had keys, and never says it", () => {
    const declared = [{ name: "p", type: "secret" }];
    expect(checkParamValues([{ name: "p", value: "hunter22" }], declared)).toEqual([]);
    expect(checkParamValues([{ name: "p", value: "pin" }], declared)[0]?.message).toMatch(/at least 4 characters/);
  });

  it("checks the length of texts", () => {
    const param = { name: "p", minValueLength: 2, maxValueLength: 4 };
    expect(["a", "ab", "abcd", "abcde", 123456].map((value) => checkParamValue(param, value))).toEqual([
      "must have at least 2 characters, but has 1",
      undefined,
      undefined,
      "must have at most 4 characters, but has 5",
      undefined,
    ]);
  });

  it("takes any choice of a list that is filled from elsewhere", () => {
    expect(checkParamValue({ name: "group", type: "select" }, "any")).toBeUndefined();
  });

  it("never repeats a secret", () => {
    expect(checkParamValue({ name: "p", type: "password" }, "pin")).not.toContain("pin");
  });

  it("never throws", () => {
    const type = fc.constantFrom("number", "boolean", "email", "url", "select", "multiselect", "json", "password", "text", undefined);
    fc.assert(
      fc.property(type, fc.jsonValue(), (one, value) => {
        expect(["string", "undefined"]).toContain(typeof checkParamValue({ name: "p", type: one, options }, value));
      }),
    );
  });
});

describe("checkParamValues", () => {
  const declared: AbstractParam[] = [
    { name: "count", type: "number" },
    { name: "who", type: "text", required: true },
    { name: "mode", type: "select", options, required: true, default: "red" },
    { name: "token", type: "password", required: true },
  ];

  it("names each value that does not fit and each required one that is missing", () => {
    const given = [
      { name: "count", value: "many" },
      { name: "who", value: "" },
      { name: "mode", value: "blue" },
      { name: "free", value: { any: 1 } },
      { name: "token", value: "hunter2" },
    ];
    expect(checkParamValues(given, declared)).toEqual([
      { path: "/params/0/value", message: 'parameter "count" must be a number, but is "many"' },
      { path: "/params/2/value", message: 'parameter "mode" must be one of red, 1, but is "blue"' },
      { path: "/params", message: 'parameter "who" is required and has no default' },
    ]);
  });

  it("takes blanks for values that were left out, and defaults for what is missing", () => {
    const given = [
      { name: "count", value: "" },
      { name: "who", value: "x" },
      { name: "mode", value: null },
      { name: "token", value: "hunter2" },
    ];
    expect(checkParamValues(given, declared)).toEqual([]);
  });
});

describe("checkParamDefault", () => {
  it.each<[AbstractParam, RegExp | undefined]>([
    [{ name: "n", type: "number", default: "x" }, /must be a number/],
    [{ name: "n", type: "number", default: "$(global.params.n)" }, undefined],
    [{ name: "n", type: "multiselect", options, default: ["$(params.x)"] }, undefined],
    [{ name: "n", type: "number" }, undefined],
    [{ name: "n", type: "number", default: "" }, undefined],
    [{ name: "n", type: "password", default: "mrsealed:v1:abc" }, undefined],
  ])("%j", (param, message) => {
    const found = checkParamDefault(param);
    if (message) expect(found).toMatch(message);
    else expect(found).toBeUndefined();
  });
});
