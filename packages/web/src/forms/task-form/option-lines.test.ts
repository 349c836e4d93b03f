import { expect, test } from "vitest";
import { optionsOf, textOfOptions } from "./task-params.ts";

test.each([
  ["a key alone", "red", [{ key: "red", value: "red" }], "red"],
  ["a key with its label", "red: Crimson", [{ key: "red", value: "Crimson" }], "red: Crimson"],
  ["a label with a colon", "at: noon: sharp", [{ key: "at", value: "noon: sharp" }], "at: noon: sharp"],
  ["an address", "http://a:1", [{ key: "http://a:1", value: "http://a:1" }], "http://a:1"],
  [
    "empty lines and spaces",
    " red \n\n blue : Sky ",
    [
      { key: "red", value: "red" },
      { key: "blue", value: "Sky" },
    ],
    "red\nblue: Sky",
  ],
  ["nothing", "", [], ""],
])("choices are lines: %s", (_, text, options, again) => {
  expect(optionsOf(text)).toEqual(options);
  expect(textOfOptions(options)).toBe(again);
});
