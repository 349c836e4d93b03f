import { expect, test } from "vitest";
import { moved, optionsOf, optionsText } from "./list-edits.ts";

test("choices are converted to lines and back", () => {
  expect(optionsOf("s = Small\nl")).toEqual([
    { key: "s", value: "Small" },
    { key: "l", value: "l" },
  ]);
  expect(optionsText([{ key: "s", value: "Small" }, { key: "l" }])).toBe("s = Small\nl");
});

test("an item of a list moves up or down", () => {
  expect([moved(["a", "b", "c"], 2, -1), moved(["a", "b"], 0, 1)]).toEqual([
    ["a", "c", "b"],
    ["b", "a"],
  ]);
});
