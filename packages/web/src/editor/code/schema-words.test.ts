import { expect, test } from "vitest";
import { keysAt, type Schema, toldAt, valuesAt } from "./schema-words.ts";
import { othersAt, placeAt } from "./text-place.ts";

const schema: Schema = {
  type: "object",
  properties: {
    id: { type: "string", description: "Set by the service" },
    name: { type: "string", description: "Addresses it" },
    status: { type: ["string", "null"], enum: ["active", "inactive"] },
    tasks: { type: ["array", "null"], items: { $ref: "#/$defs/Task" }, description: "Its graph" },
    labels: { type: "object", additionalProperties: { type: "string", description: "A label" } },
  },
  $defs: {
    Task: {
      type: "object",
      properties: {
        name: { type: "string" },
        retry: { anyOf: [{ $ref: "#/$defs/Retry" }, { type: "null" }], description: "Further attempts" },
        isOn: { type: "boolean" },
      },
    },
    Retry: { type: "object", properties: { count: { type: "integer", examples: [3] } } },
  },
};

test("members are those of the schema, including references and alternatives, without those that the service sets", () => {
  expect(keysAt(schema, []).map(({ word }) => word)).toEqual(["name", "status", "tasks", "labels"]);
  expect(keysAt(schema, ["tasks", "[]", "retry"]).map(({ word }) => word)).toEqual(["count"]);
  expect(keysAt(schema, ["nowhere", "[]"])).toEqual([]);
});

test("values are those that the schema names", () => {
  const words = (...path: string[]) => valuesAt(schema, path).map(({ word }) => word);
  expect([words("status"), words("tasks", "[]", "isOn"), words("tasks", "[]", "retry", "count"), words("name")]).toEqual([
    ["active", "inactive"],
    ["true", "false"],
    ["3"],
    [],
  ]);
});

test("a member is described by its type or values and its description", () => {
  expect([
    toldAt(schema, ["name"]),
    toldAt(schema, ["status"]),
    toldAt(schema, ["tasks", "[]", "retry"]),
    toldAt(schema, ["labels", "x"]),
  ]).toEqual(["string\nAddresses it", '"active" | "inactive"', "object\nFurther attempts", "string\nA label"]);
});

/** `|` marks the position. */
const at = (text: string, format: "yaml" | "json" = "yaml") => {
  const { path, isValue, typed } = placeAt(text.replace("|", ""), text.indexOf("|"), format);
  return [path.join("/"), isValue ? "value" : "key", typed];
};

test.each([
  ["na|", ["", "key", "na"]],
  ["name: w\nstatus: act|", ["status", "value", "act"]],
  ["tasks:\n  - name: a\n    ret|", ["tasks/[]", "key", "ret"]],
  ["tasks:\n- name: a\n  retry:\n    count: 1\n    b|", ["tasks/[]/retry", "key", "b"]],
  ["tasks:\n- name: a\n  dependencies:\n  - taskRef: s|", ["tasks/[]/dependencies/[]/taskRef", "value", "s"]],
  ["tasks:\n  - name: a\n  - |", ["tasks/[]", "key", ""]],
  ["tasks:\n  - name: a\n  - name: b\nst|", ["", "key", "st"]],
  ["labels:\n  'a: b': x|", ["labels/a: b", "value", "x"]],
  ["# tasks:\n  n|", ["", "key", "n"]],
])("in YAML %j is at %j", (text, expected) => {
  expect(at(text)).toEqual(expected);
});

test.each([
  ['{ "na|', ["", "key", "na"]],
  ['{ "name": "w", "status": "act|', ["status", "value", "act"]],
  ['{ "tasks": [{ "name": "a", "retry": { "c|', ["tasks/[]/retry", "key", "c"]],
  ['{ "tasks": [{ "name": "a" }, { "|', ["tasks/[]", "key", ""]],
  ['{ "a": { "b": "}" }, "c|', ["", "key", "c"]],
  ['{ "isOn": tr|', ["isOn", "value", "tr"]],
])("in JSON %j is at %j", (text, expected) => {
  expect(at(text, "json")).toEqual(expected);
});

test.each([
  ["name: w\nsta|", "yaml", ["name"]],
  ["tasks:\n  - name: a\n    ret|\n    params: []\n  - name: b\n    type: x", "yaml", ["name", "params"]],
  ["tasks:\n  - name: a\n    retr|y: {}\n    type: x", "yaml", ["name", "type"]],
  ["tasks:\n- name: a\n- |", "yaml", []],
  ["tasks:\n  - name: a\n    retry:\n      c|\n    type: x", "yaml", []],
  ['{ "name": "w", "sta|', "json", ["name"]],
  ['{ "name": "w", "sta|", "tasks": [] }', "json", ["name", "tasks"]],
  ['{ "tasks": [{ "name": "a", "r|" }, { "x": 1 }], "y": 2 }', "json", ["name"]],
  ['{ "name": "w", "sta|tus": 1, "tasks": [] }', "json", ["name", "tasks"]],
  ['{ "tasks": [{ "a": 1,\n "|\n "c": 2 }] }', "json", ["a", "c"]],
  ['{ "a": 1, b| }', "json", ["a"]],
] as const)("beside the member that is typed in %j (%s) are %j", (text, format, expected) => {
  const to = text.indexOf("|");
  const whole = text.replace("|", "");
  expect(othersAt(whole, placeAt(whole, to, format).from, to, format)).toEqual(expected);
});
