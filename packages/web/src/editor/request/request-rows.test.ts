import { expect, test } from "vitest";
import { freshFieldName, optionsOfRow, paramsOf, rowsOf, withMember } from "./request-rows.ts";

test.each([
  [undefined, []],
  ["", []],
  ['[{"name": "a", "default": "$(params.b)"}]', [{ name: "a", default: "$(params.b)" }]],
  [[{ url: "https://x" }], [{ url: "https://x" }]],
  ["$(tasks.ask.results.fields)", undefined],
  ['[{"name": "a", "default": $(params.count)}]', undefined],
  ["[1]", undefined],
  [{ name: "a" }, undefined],
])("%j is shown as the rows %j", (value, rows) => {
  expect(rowsOf(value)).toEqual(rows);
});

test("a member without a value is left out, and the others are kept", () => {
  expect(withMember({ name: "a", strange: 1 }, "required", true)).toEqual({ name: "a", strange: 1, required: true });
  expect(withMember({ name: "a", required: true }, "required", false)).toEqual({ name: "a" });
  expect(withMember({ name: "a", default: 1 }, "default", 0)).toEqual({ name: "a", default: 0 });
});

test("a new field has a name that is free", () => {
  expect([freshFieldName([]), freshFieldName([{ name: "field" }, { name: "field-2" }])]).toEqual(["field", "field-3"]);
});

test("a field appears once, with options in either form; a field without a name doesn't appear", () => {
  expect(optionsOfRow({ options: ["eu", { key: "us", value: "America" }, 3] })).toEqual([
    { key: "eu", value: "eu" },
    { key: "us", value: "America" },
  ]);
  expect(paramsOf([{ name: "a" }, { name: "a" }, { label: "no name" }, { name: "b", type: "number" }])).toMatchObject([
    { name: "a", type: "text" },
    { name: "b", type: "number" },
  ]);
});
