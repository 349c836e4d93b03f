import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import { eventKinds, eventStatuses } from "@millrace/contract/outbound/subscription.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventFits } from "../event-filters/event-fits.ts";
import { eventType } from "./outbound-event.ts";
import { wantedKinds } from "./wanted-kinds.ts";

describe("the kinds that filters can let through", () => {
  test.each<[string, EventFilter[], string[]]>([
    ["without filters all", [], [...eventKinds]],
    ["one type", [{ exact: { type: "dev.millrace.workflowrun.failed" } }], ["workflowrun"]],
    ["a prefix", [{ prefix: { type: "dev.millrace.task" } }], ["taskrun"]],
    ["a suffix", [{ suffix: { type: ".approved" } }], ["action"]],
    ["a type that does not exist", [{ exact: { type: "dev.millrace.workflowrun.exploded" } }], []],
    ["other attributes leave it open", [{ exact: { workflow: "nightly" } }], [...eventKinds]],
    ["an expression leaves it open", [{ sql: "type = 'x'" }], [...eventKinds]],
    ["not", [{ not: { prefix: { type: "dev.millrace.taskrun." } } }], ["workflowrun", "action", "schedule", "alert"]],
    ["not of something open", [{ not: { exact: { workflow: "nightly" } } }], [...eventKinds]],
    ["any", [{ any: [{ suffix: { type: ".approved" } }, { prefix: { type: "dev.millrace.schedule" } }] }], ["action", "schedule"]],
    ["all", [{ all: [{ prefix: { type: "dev.millrace.workflowrun" } }, { suffix: { type: ".approved" } }] }], []],
  ])("%s", (_, filters, kinds) => {
    expect(wantedKinds(filters)).toEqual(kinds);
  });

  test("no event that fits is of a kind that is left out", () => {
    const types = eventKinds.flatMap((kind) => eventStatuses[kind].map((status) => ({ kind, type: eventType(kind, status) })));
    const text = fc.oneof(fc.constantFrom(...types.map(({ type }) => type)), fc.constantFrom("dev.millrace.", ".failed", "nightly", "run"));
    const texts = fc.dictionary(fc.constantFrom("type", "workflow"), text, { minKeys: 1 });
    const { filter } = fc.letrec<{ filter: EventFilter }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(fc.record({ exact: texts }), fc.record({ prefix: texts }), fc.record({ suffix: texts })),
        fc.record({ all: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ any: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ not: tie("filter") }),
      ) as fc.Arbitrary<EventFilter>,
    }));
    fc.assert(
      fc.property(
        fc.array(filter, { maxLength: 3 }),
        fc.constantFrom(...types),
        fc.constantFrom("nightly", "run"),
        (filters, one, workflow) => {
          if (eventFits(filters, { type: one.type, workflow })) expect(wantedKinds(filters)).toContain(one.kind);
        },
      ),
    );
  });
});
