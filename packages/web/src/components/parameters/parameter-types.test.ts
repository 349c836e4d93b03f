import { expect, test } from "vitest";
import { typedValue, valueText } from "./parameter-types.ts";

test.each([
  ["text", "5", "5"],
  ["number", "5", 5],
  ["number", "five", "five"],
  ["number", "", ""],
  ["boolean", "true", true],
  ["boolean", "", false],
  ["json", '{"a":[1]}', { a: [1] }],
  ["json", "{", "{"],
  ["password", "12345", "12345"],
])("of the type %s, %j is sent as %j", (type, text, sent) => expect(typedValue(type, text)).toEqual(sent));

test("a value that is not text is shown as JSON", () => {
  expect(valueText({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(valueText(undefined)).toBe("");
});
