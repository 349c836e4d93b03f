import { expect, test } from "vitest";
import type { Param } from "../../forms/parameter-values.ts";
import { cleanParam, freshName, nameFault, numbered, paramsFault } from "./parameter-list.ts";

test.each<[Param, Param]>([
  [{ name: "a", label: "", required: false, default: "" }, { name: "a" }],
  [
    { name: "a", type: "number", default: 0, required: true },
    { name: "a", type: "number", default: 0, required: true },
  ],
  [
    { name: "a", type: "boolean", default: false },
    { name: "a", type: "boolean", default: false },
  ],
  [
    { name: "a", type: "text", options: [{ key: "x" }] },
    { name: "a", type: "text" },
  ],
  [
    { name: "a", type: "select", options: [{ key: "x" }, { key: "" }] },
    { name: "a", type: "select", options: [{ key: "x" }] },
  ],
  [
    { name: "a", type: "password", default: "", hiddenValue: true },
    { name: "a", type: "password", hiddenValue: true },
  ],
])("%j is written as %j", (typed, written) => {
  expect(cleanParam(typed)).toEqual(written);
});

test("a list reports its errors, and a new parameter gets an unused name", () => {
  expect(freshName(numbered([{ name: "parameter" }]))).toBe("parameter-2");
  expect(paramsFault(numbered([{ name: "a" }, { name: "a" }]))).toContain("Two parameters have the name a");
  expect(paramsFault(numbered([{ name: " " }]))).toBe("Every parameter needs a name.");
  expect(paramsFault(numbered([{ name: "a" }]))).toBeUndefined();
});

test("two parameters with the same name both show it, and one without a name asks for a name", () => {
  const list = numbered([{ name: "a" }, { name: "b" }, { name: "a" }, { name: " " }]);
  expect(list.map((one) => nameFault(list, one))).toEqual([
    "Another parameter has this name.",
    undefined,
    "Another parameter has this name.",
    "Enter a name.",
  ]);
});
