import type { Trigger } from "@millrace/contract/inbound/trigger.ts";
import { expect, test } from "vitest";
import { checkTrigger } from "./check-trigger.ts";

const arrived = { document: { a: [1, "x"], long: "y".repeat(300) }, words: { events: ["push"] }, attributes: { type: "push" } };
const no = { exact: { type: "no" } };
const yes = { prefix: { type: "pu" } };

test.each<[string, Partial<Trigger>, unknown[]]>([
  ["nothing asked", {}, []],
  [
    "conditions with what they found",
    {
      conditions: [
        { field: "events", operation: "equals", value: "push" },
        { field: "$.a[*]", operation: "in", values: ["2"] },
        { field: "$.gone", operation: "equals", value: "" },
      ],
    },
    [
      { path: "/conditions/0", holds: true, found: ["push"] },
      { path: "/conditions/1", holds: false, found: ["1", "x"] },
      { path: "/conditions/2", holds: false, found: [] },
    ],
  ],
  ["long texts are cut", { conditions: [{ field: "$.long", operation: "equals", value: "y" }] }, [{ found: ["y".repeat(200)] }]],
  [
    "filters inside of others",
    { filters: [{ any: [no, { all: [yes] }] }, { not: no }] },
    [
      { path: "/filters/0", holds: true },
      { path: "/filters/0/any/0", holds: false },
      { path: "/filters/0/any/1", holds: true },
      { path: "/filters/0/any/1/all/0", holds: true },
      { path: "/filters/1", holds: true },
      { path: "/filters/1/not", holds: false },
    ],
  ],
])("%s", (_, trigger, checks) => expect([...checkTrigger(trigger, arrived)]).toMatchObject(checks));
