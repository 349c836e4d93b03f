import { expect, test } from "vitest";
import { groupOptions } from "./node-parameters.tsx";

const groups = [{ id: "g", name: "Leads" }];

test.each([
  ["nothing", undefined, [["Leads", "Leads"]]],
  ["its name in other letters", "leads", [["leads", "Leads"]]],
  ["its ID", "g", [["g", "Leads"]]],
  ["a reference", "$(params.group)", [["Leads", "Leads"]]],
  [
    "a group that is gone",
    "old",
    [
      ["Leads", "Leads"],
      ["old", "old (no such group)"],
    ],
  ],
])("the approver group is selected, and the current value stays visible: %s", (_, value, expected) => {
  expect(groupOptions(groups, value).map(({ key, value: label }) => [key, label])).toEqual(expected);
});
