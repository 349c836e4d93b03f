import { labelLimits } from "@millrace/contract/schema.ts";
import { expect, test } from "vitest";
import { labelFaults, mergeLabels } from "./labels.ts";

test("labels are added and replaced by key, and null removes one", () => {
  expect(mergeLabels({ a: "1", b: "2" }, { b: "3", a: null, c: "" })).toEqual({ b: "3", c: "" });
});

test("as many as are possible are no fault, one more is", () => {
  const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, "x"]));
  expect(labelFaults(labels(labelLimits.count))).toEqual([]);
  expect(labelFaults(labels(labelLimits.count + 1))).toEqual([
    { path: "/labels", message: expect.stringContaining("would result in 65 labels") },
  ]);
});
