import { expect, test } from "vitest";
import { foundValues } from "./found-values.ts";

const values = [{ name: "order", value: "A-23451" }, { name: "items", value: [{ city: "Oslo" }] }, { name: "secret" }];

test.each([
  ["a-2345", ["order"]],
  ["oslo  A-2", ["order", "items"]],
  ["nowhere", []],
  ["  ", []],
])("of a search for %j: %j", (search, names) => {
  expect(foundValues(values, search).map(({ name }) => name)).toEqual(names);
});
