import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secretMask } from "../../parameter/secret-params.ts";
import { limitKey, limitsOf, maxKeyLength, priorityOf, queueRankOf, rankOf } from "./run-limits.ts";

const layers = (workflow: Record<string, unknown>) => ({ global: {}, team: { region: "eu" }, workflow, context: { trigger: "webhook" } });
const key = (expression: string, workflow: Record<string, unknown>) => limitKey(expression, "concurrency.key", layers(workflow));

describe("the key of a limit", () => {
  test.each([
    ["", {}, "", "this workflow"],
    ["$(params.customer)", { customer: "acme" }, "acme", "customer=acme"],
    ["$(params.customer)", {}, "", "customer="],
    ["$(params.data.customer.id)", { data: { customer: { id: 7 } } }, "7", "id=7"],
    ["$(params.region)-$(params.customer)", { customer: "acme" }, "eu-acme", 'key "eu-acme"'],
    ["$(context.params.trigger)", {}, "webhook", "trigger=webhook"],
    ["$(params.data)", { data: { a: 1 } }, '{"a":1}', 'data={"a":1}'],
    ["$(params.customer)", { customer: "$(params.other)" }, "$(params.other)", "customer=$(params.other)"],
  ])("%j of %j is %j, shown as %j", (expression, workflow, value, label) => {
    expect(key(expression, workflow)).toEqual({ key: value, label });
  });

  test("is refused when it is too long, or has a secret in it", () => {
    expect(key("$(params.customer)", { customer: "a".repeat(maxKeyLength) }).key).toHaveLength(maxKeyLength);
    expect(() => key("$(params.customer)", { customer: "a".repeat(maxKeyLength + 1) })).toThrow(/has 257 characters for this run/);
    expect(() => key("x-$(params.customer)", { customer: secretMask })).toThrow(/has a secret as its value/);
  });
});

test("a run without a limit asks for nothing", () => {
  expect(limitsOf({ concurrency: undefined, rate: undefined, collect: undefined, priority: 9 }, layers({}), "rank")).toBeUndefined();
});

describe("the rank of a run", () => {
  const level = 600_000;
  const time = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_000 + 30 * level });
  const run = fc.record({ ms: time, priority: fc.integer({ min: 0, max: 9 }), tail: fc.stringMatching(/^[0-9a-f]{20}$/) });
  const idOf = ({ ms, tail }: { ms: number; tail: string }) => {
    const hex = ms.toString(16).padStart(12, "0") + tail;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };

  test("is its id for the usual priority", () => {
    fc.assert(fc.property(run, (one) => rankOf(idOf(one), 5) === idOf(one)));
  });

  test("says for which priority it was made", () => {
    fc.assert(fc.property(run, (one) => priorityOf(idOf(one), queueRankOf(idOf(one), one.priority) ?? null) === one.priority));
  });

  test("follows the age, with ten minutes for each level, so that none is overtaken by a run that came 90 minutes later", () => {
    fc.assert(
      fc.property(run, run, (one, other) => {
        const [first, second] = [rankOf(idOf(one), one.priority), rankOf(idOf(other), other.priority)];
        const lead = other.ms - other.priority * level - (one.ms - one.priority * level);
        if (lead > 0) expect(first < second).toBe(true);
        if (other.ms - one.ms > 9 * level) expect(first < second).toBe(true);
      }),
    );
  });
});
