import type { TriggerCondition } from "@millrace/contract/inbound/trigger.ts";
import { describe, expect, test } from "vitest";
import { mergeTriggers, triggerFaults } from "./workflow-document-triggers.ts";

const off = { enabled: false, conditions: [] };

test("a new workflow can be started by people and by nothing else", () => {
  expect(mergeTriggers(undefined)).toEqual({
    manual: { enabled: true, conditions: [] },
    schedule: off,
    webhook: off,
    event: off,
    codehost: off,
    workflow: off,
  });
});

test("a trigger that is given changes what it says; the others stay", () => {
  const conditions: TriggerCondition[] = [{ field: "$.type", operation: "equals", value: "push" }];
  const current = mergeTriggers({ event: { enabled: true, conditions } });
  const changed = mergeTriggers({ event: { enabled: false }, webhook: { enabled: true }, manual: null }, current);
  expect(changed).toMatchObject({ event: { enabled: false, conditions }, webhook: { enabled: true }, manual: { enabled: true } });
});

describe("conditions", () => {
  const check = (kind: "event" | "codehost" | "workflow", condition: TriggerCondition) =>
    triggerFaults(mergeTriggers({ [kind]: { enabled: true, conditions: [condition] } })).map(({ path, message }) => `${path} ${message}`);

  test.each<[string, "event" | "codehost" | "workflow", TriggerCondition]>([
    ["equality", "event", { field: "$.type", operation: "equals", value: "" }],
    ["a pattern", "event", { field: "$.data['a b'][0]", operation: "matches", value: "^v\\d+$" }],
    ["a list", "event", { field: "$..id", operation: "in", values: ["a"] }],
    ["the words of another workflow's run", "workflow", { field: "statuses", operation: "in", values: ["failed"] }],
    ["a path into another workflow's run", "workflow", { field: "$.labels.stage", operation: "equals", value: "live" }],
    ["the words of the codehost", "codehost", { field: "repositories", operation: "in", values: ["millrace"] }],
  ])("%s is fine", (_, kind, condition) => {
    expect(check(kind, condition)).toEqual([]);
  });

  test.each<[string, "event" | "codehost" | "workflow", TriggerCondition, string]>([
    [
      "a field that is not a path",
      "event",
      { field: "type", operation: "equals", value: "x" },
      "/triggers/event/conditions/0/field is not a JSONPath",
    ],
    ["a codehost word elsewhere", "event", { field: "events", operation: "in", values: ["x"] }, "/field is not a JSONPath"],
    ["a status in which no run ends", "workflow", { field: "statuses", operation: "in", values: ["running"] }, '/values/0 is "running"'],
    ["equality with nothing", "event", { field: "$.a", operation: "equals" }, "/value is missing"],
    ["a pattern that needs backtracking", "event", { field: "$.a", operation: "matches", value: "(?=a)" }, "/value is not a valid pattern"],
    ["an empty list", "event", { field: "$.a", operation: "in", values: [] }, "/values is missing or empty"],
  ])("%s is refused", (_, kind, condition, expected) => {
    expect(check(kind, condition).join()).toContain(expected);
  });
});

describe("filters, and that a signature is required", () => {
  const check = (triggers: Parameters<typeof mergeTriggers>[0]) =>
    triggerFaults(mergeTriggers(triggers)).map(({ path, message }) => `${path} ${message}`);
  const filters = [{ exact: { type: "order.placed" } }];

  test("stay until others are given, and are removed by an empty list", () => {
    const current = mergeTriggers({ event: { enabled: true, filters }, webhook: { requireSignature: true } });
    expect(current).toMatchObject({ event: { filters }, webhook: { enabled: false, requireSignature: true } });
    expect(check(current)).toEqual([]);
    expect(mergeTriggers({ event: { enabled: false, filters: null } }, current)).toMatchObject({ event: { enabled: false, filters } });
    const cleared = mergeTriggers({ event: { filters: [] }, webhook: { requireSignature: false } }, current);
    expect(cleared).toEqual({ ...mergeTriggers(undefined), event: { enabled: true, conditions: [] } });
  });

  test("are refused where they mean nothing, and where they make no sense", () => {
    expect(check({ codehost: { filters: [{ sql: "type =" }] } })[0]).toMatch(/^\/triggers\/codehost\/filters\/0\/sql .* at character 7:/);
    expect(check({ webhook: { filters } })[0]).toContain("/triggers/webhook/filters is supported only for event, codehost and workflow");
    expect(check({ event: { requireSignature: true } })[0]).toContain("/triggers/event/requireSignature is supported only for webhook");
  });
});
