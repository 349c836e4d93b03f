import { expect, test } from "vitest";
import { findNodes } from "./find-nodes.ts";

const tasks = [
  { name: "call", taskRef: "http", params: [{ name: "url", value: "https://example.org/orders" }] },
  { name: "orders", taskRef: "shell" },
  { name: "store", taskRef: "shell", params: [{ name: "list", value: ["big orders"] }] },
];

test.each([
  ["orders", ["orders", "call", "store"]],
  ["HTTP", ["call"]],
  ["big store", ["store"]],
  ["nowhere", []],
  [" ", []],
])("a search for %j finds %j, names first", (search, found) => {
  expect(findNodes(tasks, search)).toEqual(found);
});
