import { expect, test } from "vitest";
import type { Param } from "../../forms/parameter-values.ts";
import { cleanParam, freshName, moved, nameFault, numbered, optionsOf, optionsText, paramsFault } from "./parameter-list.ts";

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

test("choices are lines, and lines are choices", () => {
  expect(optionsOf("s = Small\nl")).toEqual([
    { key: "s", value: "Small" },
    { key: "l", value: "l" },
  ]);
  expect(optionsText([{ key: "s", value: "Small" }, { key: "l" }])).toBe("s = Small\nl");
});

test("a list can be put into order, and names its faults", () => {
  expect([moved(["a", "b", "c"], 2, -1), moved(["a", "b"], 0, 1)]).toEqual([
    ["a", "c", "b"],
    ["b", "a"],
  ]);
  expect(freshName(numbered([{ name: "parameter" }]))).toBe("parameter-2");
  expect(paramsFault(numbered([{ name: "a" }, { name: "a" }]))).toContain("Two parameters have the name a");
  expect(paramsFault(numbered([{ name: " " }]))).toBe("Every parameter needs a name.");
  expect(paramsFault(numbered([{ name: "a" }]))).toBeUndefined();
});

test("each of two parameters with the same name says so, and one without a name asks for it", () => {
  const list = numbered([{ name: "a" }, { name: "b" }, { name: "a" }, { name: " " }]);
  expect(list.map((one) => nameFault(list, one))).toEqual([
    "Another parameter has this name.",
    undefined,
    "Another parameter has this name.",
    "Enter a name.",
  ]);
});
