import { expect, test } from "vitest";
import { draftsOf, filtersOf, sampleEvent, type Trigger, triggersOf } from "./trigger-draft.ts";

test("a trigger that is read and written back means the same", () => {
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

const equals = (field: string, value: string) => ({ field, operation: "equals" as const, value });

test.each<[Trigger, object]>([
  [{}, { type: "test", id: "1", specversion: "1.0" }],
  [{ conditions: [equals("$.type", "order.placed")] }, { type: "order.placed" }],
  [{ conditions: [{ field: "$.type", operation: "in", values: ["a", "b"] }] }, { type: "a" }],
  [{ conditions: [equals("$.source", "x")] }, { type: "test" }],
  [{ filters: [{ prefix: { type: "order." } }, { exact: { region: "north" } }] }, { type: "order.", region: "north" }],
  [{ conditions: [equals("$.type", "order.paid")], filters: [{ prefix: { type: "order." } }] }, { type: "order.paid" }],
])("the event to try %j with is like %j", (trigger, event) => {
  expect(sampleEvent(trigger, "1")).toMatchObject(event);
});
