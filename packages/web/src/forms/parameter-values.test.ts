import { describe, expect, test } from "vitest";
import { choicesOf, faultsOf, jsonOf, kindOf, type Param, paramOfFault, toRunParams } from "./parameter-values.ts";

const param = (part: Partial<Param>): Param => ({ name: "p", ...part });

test.each<[Partial<Param>, string]>([
  [{}, "text"],
  [{ type: "unheard-of" }, "text"],
  [{ type: "texteditor" }, "code"],
  [{ type: "texteditor::yaml" }, "code"],
  [{ type: "number" }, "number"],
  [{ type: "secret" }, "password"],
  [{ type: "object" }, "json"],
  [{ type: "array" }, "list"],
  [{ type: "array", default: ["a"] }, "list"],
  [{ type: "array", default: [{ a: 1 }] }, "json"],
  [{ type: "string", enum: ["a", "b"] }, "select"],
])("%j is entered as %s", (part, kind) => {
  expect(kindOf(param(part))).toBe(kind);
});

test.each<[string, unknown, unknown]>([
  ["number", "5", 5],
  ["number", 5, 5],
  ["number", "5.50", 5.5],
  ["number", "$(params.n)", "$(params.n)"],
  ["number", "many", "many"],
  ["number", "9007199254740993", "9007199254740993"],
  ["number", "", undefined],
  ["boolean", "true", true],
  ["boolean", false, false],
  ["json", '{"a": [1]}', { a: [1] }],
  ["json", "{", "{"],
  ["json", "  ", undefined],
  ["text", "5", "5"],
  ["text", "", undefined],
  ["multiselect", ["a"], ["a"]],
  ["array", [], []],
])("a %s of %j is sent as %j", (type, entered, sent) => {
  expect(jsonOf(param({ type }), entered)).toEqual(sent);
});

describe("what is sent", () => {
  test("is only what was entered, without read-only parameters", () => {
    const params = [param({ name: "a", default: 1 }), param({ name: "b", type: "number" }), param({ name: "c", readOnly: true })];
    expect(toRunParams(params, { b: "7", c: "x", other: "y" })).toEqual([{ name: "b", value: 7 }]);
  });
});

describe("what is checked before sending", () => {
  test.each<[string, Partial<Param>, unknown, string | undefined]>([
    ["a value is missing", { required: true }, "", "Enter a value."],
    ["the default is enough", { required: true, default: "x" }, "", undefined],
    ["the kept secret is enough", { required: true, type: "password", hiddenValue: true, default: "" }, "", undefined],
    ["no number", { type: "number" }, "many", "many is not a number."],
    ["a reference is looked at later", { type: "number" }, "$(params.n)", undefined],
    ["no JSON", { type: "json" }, "{", "This is not JSON."],
    ["too short", { minValueLength: 3 }, "ab", "At least 3 characters; you entered 2."],
    ["too long", { maxValueLength: 1 }, "ab", "At most 1 characters; you entered 2."],
    ["a short secret", { type: "password" }, "abc", "A secret needs at least 4 characters."],
    ["not needed", { minValueLength: 3 }, "", undefined],
  ])("%s", (_, part, entered, fault) => {
    expect(faultsOf([param(part)], { p: entered }).p).toBe(fault);
  });
});

test.each([
  [{ path: "/params/1/value", message: "bad" }, "b"],
  [{ path: "/params", message: 'parameter "c" is required and has no default' }, "c"],
  [{ path: "/params", message: 'parameter "d" is not declared' }, undefined],
  [{ path: "/labels", message: "too many" }, undefined],
])("what the service refuses, %j, is about the parameter %s", (fault, name) => {
  const known = [param({ name: "a" }), param({ name: "b" }), param({ name: "c" })];
  expect(paramOfFault(fault, [{ name: "a" }, { name: "b" }], known)).toBe(name);
});

test("choices stand once, with their words", () => {
  expect(choicesOf(param({ options: [{ key: "a", value: "A" }, { key: "a" }, { key: "b" }] }))).toEqual([
    { value: "a", label: "A" },
    { value: "b", label: "b" },
  ]);
});
