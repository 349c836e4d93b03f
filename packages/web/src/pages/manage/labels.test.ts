import { expect, test } from "vitest";
import { labelChange, toLabels } from "./quota-rows.ts";

const before = { stage: "test", site: "london" };

test.each([
  ["nothing is sent where nothing changed", toLabels(before), {}],
  ["what is gone becomes null", toLabels({ site: "london" }), { stage: null }],
  ["a changed value is sent alone", toLabels({ ...before, stage: "live" }), { stage: "live" }],
  ["another key takes the old one away", toLabels({ phase: "test", site: "london" }), { stage: null, phase: "test" }],
  ["a row without a key counts as not there", [...toLabels(before), { row: 9, key: " ", value: "x" }], {}],
])("%s", (_, after, sent) => expect(labelChange(before, after)).toEqual(sent));
