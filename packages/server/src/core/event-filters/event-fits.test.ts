import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventFits } from "./event-fits.ts";
import { filterFaults } from "./filter-faults.ts";

const event = { specversion: "1.0", id: "1", source: "/shop", type: "order.placed", subject: "order/7", level: 3, urgent: true, data: {} };

describe("an event fits", () => {
  test.each<[string, EventFilter[], boolean]>([
    ["no filter", [], true],
    ["exact", [{ exact: { type: "order.placed", source: "/shop" } }], true],
    ["exact, but for one attribute", [{ exact: { type: "order.placed", source: "/other" } }], false],
    ["exact, in another case", [{ exact: { type: "Order.placed" } }], false],
    ["exact of a number and of true", [{ exact: { level: "3", urgent: "true" } }], true],
    ["an attribute that it lacks", [{ prefix: { missing: "a" } }], false],
    ["its data, which is not an attribute", [{ exact: { data: "[object Object]" } }], false],
    ["a member that every object has", [{ prefix: { constructor: "f" } }], false],
    ["prefix", [{ prefix: { type: "order." } }], true],
    ["suffix", [{ suffix: { type: ".placed" } }], true],
    ["another suffix", [{ suffix: { type: ".paid" } }], false],
    ["all", [{ all: [{ prefix: { type: "order." } }, { suffix: { subject: "/7" } }] }], true],
    ["all but one", [{ all: [{ prefix: { type: "order." } }, { suffix: { subject: "/8" } }] }], false],
    ["any", [{ any: [{ exact: { type: "a" } }, { exact: { type: "order.placed" } }] }], true],
    ["none of any", [{ any: [{ exact: { type: "a" } }] }], false],
    ["not", [{ not: { exact: { type: "a" } } }], true],
    ["not what it is", [{ not: { exact: { type: "order.placed" } } }], false],
    ["sql", [{ sql: "type LIKE 'order.%' AND level > 2 AND urgent" }], true],
    ["sql that is not a boolean", [{ sql: "level" }], false],
    ["sql with an error", [{ sql: "missing != 'a'" }], false],
    ["sql that can't be read", [{ sql: "type LIKE" }], false],
    ["several filters", [{ exact: { id: "1" } }, { sql: "EXISTS subject" }], true],
    ["several filters but one", [{ exact: { id: "1" } }, { sql: "EXISTS other" }], false],
    ["a filter without a dialect", [{}], false],
  ])("%s", (_, filters, expected) => expect(eventFits(filters, event)).toBe(expected));
});

const texts = fc.dictionary(fc.constantFrom("type", "source", "missing", "data", "Bad-Name"), fc.string({ maxLength: 20 }), { maxKeys: 3 });
const { filter } = fc.letrec<{ filter: EventFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.record({ exact: texts }),
    fc.record({ prefix: texts, suffix: texts }, { requiredKeys: [] }),
    fc.record({ sql: fc.oneof(fc.string(), fc.constant("type = 'a'")) }),
    fc.record({ all: fc.array(tie("filter"), { maxLength: 4 }) }),
    fc.record({ any: fc.array(tie("filter"), { maxLength: 4 }) }),
    fc.record({ not: tie("filter") }),
  ),
}));

test("any filter matches or not, its faults have places, and not() inverts it", () => {
  fc.assert(
    fc.property(fc.array(filter, { maxLength: 5 }), (filters) => {
      expect(typeof eventFits(filters, event)).toBe("boolean");
      for (const fault of filterFaults(filters, "/filters")) expect(fault.path).toMatch(/^\/filters/);
      for (const one of filters) expect(eventFits([{ not: one }], event)).toBe(!eventFits([one], event));
    }),
    { numRuns: 500 },
  );
});
