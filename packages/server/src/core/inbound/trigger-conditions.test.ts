import type { TriggerCondition } from "@millrace/contract/inbound/trigger.ts";
import { describe, expect, test } from "vitest";
import { type InboundEvent, unmetCondition } from "./trigger-conditions.ts";

const document = { type: "order.placed", subject: "/build", data: { count: 5, isPaid: true, nothing: null, tags: ["a", "b"] } };
const unmet = (conditions: TriggerCondition[], arrived: InboundEvent = { document }) => unmetCondition({ conditions }, arrived);

describe("a condition holds", () => {
  test.each<TriggerCondition>([
    { field: "$.type", operation: "equals", value: "order.placed" },
    { field: "$.type", operation: "matches", value: "order\\..*" },
    { field: "$.type", operation: "in", values: ["other", "order.placed"] },
    { field: "$.data.count", operation: "equals", value: "5" },
    { field: "$.data.isPaid", operation: "equals", value: "true" },
    { field: "$.data.tags[*]", operation: "equals", value: "b" },
    { field: "$..count", operation: "matches", value: "\\d" },
  ])("%j", (condition) => expect(unmet([condition])).toBeUndefined());
});

describe("a condition does not hold", () => {
  test.each<TriggerCondition>([
    { field: "$.type", operation: "equals", value: "order" },
    { field: "$.type", operation: "equals", value: "ORDER.PLACED" },
    { field: "$.type", operation: "matches", value: "order" },
    { field: "$.type", operation: "in", values: [] },
    { field: "$.missing", operation: "equals", value: "" },
    { field: "$.data.nothing", operation: "equals", value: "null" },
    { field: "$.data", operation: "matches", value: ".*" },
    { field: "type", operation: "equals", value: "order.placed" },
    { field: "$.type", operation: "matches", value: "(?=o)" },
    { field: "events", operation: "in", values: ["push"] },
  ])("%j", (condition) => expect(unmet([condition])).toContain("does not match"));
});

test("all of them must hold, and the first that does not is named", () => {
  const holds: TriggerCondition = { field: "$.type", operation: "equals", value: "order.placed" };
  expect(unmet([holds, { field: "$.subject", operation: "equals", value: "/x" }])).toBe(
    'the condition that $.subject equals "/x" does not match',
  );
  expect(unmet([])).toBeUndefined();
  expect(unmetCondition({}, { document })).toBeUndefined();
});

test("attributes take precedence over the document", () => {
  const arrived = { document: { events: "none" }, words: { events: ["push"], repositories: ["one", "two"] } };
  expect(unmet([{ field: "events", operation: "in", values: ["push", "tag"] }], arrived)).toBeUndefined();
  expect(unmet([{ field: "repositories", operation: "equals", value: "two" }], arrived)).toBeUndefined();
  expect(unmet([{ field: "repositories", operation: "in", values: ["three"] }], arrived)).toContain("repositories is one of three");
  expect(unmet([{ field: "$.events", operation: "equals", value: "none" }], arrived)).toBeUndefined();
});

test("texts that are too long in total match nothing", () => {
  const long = { a: "x".repeat(16_000), b: "x".repeat(16_000), c: "y" };
  expect(unmet([{ field: "$.*", operation: "matches", value: "y" }], { document: long })).toContain("does not match");
});

describe("conditions share a limit of work, after which none holds and the trigger says why", () => {
  const texts = Array.from({ length: 9000 }, (_, index) => `text ${index}`);

  test.each<[string, TriggerCondition, unknown]>([
    ["patterns", { field: "$.a", operation: "matches", value: `a*|${"(?:[ab]?){90}".repeat(5)}x` }, { a: "a".repeat(16_000) }],
    ["paths", { field: "$..*", operation: "equals", value: "text 1" }, { texts }],
    ["lists", { field: "$.texts[*]", operation: "in", values: [...texts.slice(8000), "text 1"] }, { texts }],
  ])("%s", (_, condition, document) => {
    expect(unmet([condition], { document })).toBeUndefined();
    expect(
      unmet(
        Array.from({ length: 100 }, () => condition),
        { document },
      ),
    ).toContain("too costly");
  });
});

test("filters look at the attributes, beside the conditions, and the one that does not hold is named", () => {
  const trigger = {
    conditions: [{ field: "$.type", operation: "equals" as const, value: "order.placed" }],
    filters: [{ prefix: { type: "order." } }, { sql: "subject LIKE '/b%'" }],
  };
  expect(unmetCondition(trigger, { document, attributes: { type: "order.placed", subject: "/build" } })).toBeUndefined();
  expect(unmetCondition(trigger, { document, attributes: { type: "order.placed", subject: "/c" } })).toBe(
    `the filter {"sql":"subject LIKE '/b%'"} does not match`,
  );
  expect(unmetCondition(trigger, { document })).toContain("the filter");
});
