import { paramFormTypes } from "@millrace/contract/common.ts";
import { expect, test } from "vitest";
import { fieldKinds, kindsWith, kindWord, sharedKinds, typedValue, valueKinds } from "./parameter-kinds.ts";
import { textOf } from "./parameter-values.ts";

test("every kind of field that the service knows has its own label", () => {
  expect(new Set([...fieldKinds, ...sharedKinds].map(({ value }) => value))).toEqual(new Set(paramFormTypes));
  expect(new Set(fieldKinds.map(({ label }) => label)).size).toBe(fieldKinds.length);
});

test("an unknown kind has its name from the API, and stays selectable", () => {
  expect(kindWord("colour")).toBe("colour");
  expect(kindsWith(fieldKinds, "colour").at(-1)).toEqual({ value: "colour", label: "colour" });
});

test("a kind that is known but not offered is kept with its label; without a kind it is text", () => {
  expect(kindsWith(valueKinds, "select").at(-1)).toEqual({ value: "select", label: "Single choice" });
  expect(kindsWith(valueKinds)).toEqual(valueKinds);
});

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
  expect(textOf({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(textOf(undefined)).toBe("");
});
