import { expect, test } from "vitest";
import { draftsOf, filtersOf, sampleEvent, triggersOf } from "./trigger-draft.ts";

test("what is read and written back says the same", () => {
  const triggers = {
    manual: { enabled: true, conditions: [] },
    webhook: { enabled: true, conditions: [], requireSignature: true },
    event: {
      enabled: true,
      conditions: [{ field: "$.type", operation: "equals" as const, value: "a" }],
      filters: [{ exact: { type: "a" } }],
    },
  };
  expect(triggersOf(draftsOf(triggers))).toEqual({
    manual: triggers.manual,
    schedule: { enabled: false, conditions: [] },
    webhook: triggers.webhook,
    event: triggers.event,
    codehost: { enabled: false, conditions: [], filters: [], reportStatus: false },
    workflow: { enabled: false, conditions: [], filters: [] },
  });
});

test.each([
  ["", []],
  ["[]", []],
  ['[{"sql": "true"}]', [{ sql: "true" }]],
  ["{}", undefined],
  ["[", undefined],
])("filters in %j", (text, filters) => {
  expect(filtersOf(text)).toEqual(filters);
});

test.each([
  [[], "test"],
  [[{ field: "$.type", operation: "equals" as const, value: "order.placed" }], "order.placed"],
  [[{ field: "$.type", operation: "in" as const, values: ["a", "b"] }], "a"],
  [[{ field: "$.source", operation: "equals" as const, value: "x" }], "test"],
])("the event to try %j with is of the type %s", (conditions, type) => {
  expect(sampleEvent(conditions, "1")).toMatchObject({ type, id: "1", specversion: "1.0" });
});
