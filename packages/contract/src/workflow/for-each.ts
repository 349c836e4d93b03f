import Type, { type Static } from "typebox";
import { named, orNull, stringEnum } from "../schema.ts";

/** How a task of a workflow is run for each item of a list, and how it is retried. */

/** Runs one task once for each item of a list. */
export interface ForEach extends Static<typeof forEach> {}
export const maxForEachItems = 100_000;
export const forEach = named(
  "ForEach",
  Type.Object({
    items: Type.Unsafe<unknown[] | string>({
      type: ["array", "string"],
      items: {},
      maxItems: maxForEachItems,
      description: "A list, or text with a reference that resolves to one: $(tasks.list files.results.names)",
    }),
    parallel: orNull(Type.Integer({ minimum: 1, maximum: 1000, description: "Items that run at the same time; default 10" })),
    batchSize: orNull(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "So many items are one task run, whose $(params.item) is a list of them; default: each item is one, as it is",
      }),
    ),
    stopAtFailure: orNull(
      Type.Boolean({ description: "Once an item has not succeeded, no other one begins, and those that run are awaited; default false" }),
    ),
  }),
);

export const retryReasons = ["failed", "timedout"] as const;

/** Further attempts of a task that failed or timed out. */
export interface RetryPolicy extends Static<typeof retryPolicy> {}
export const retryPolicy = named(
  "RetryPolicy",
  Type.Object({
    count: Type.Integer({ minimum: 0, maximum: 100, description: "Attempts after the first" }),
    backoffMs: orNull(Type.Integer({ minimum: 0, maximum: 86_400_000, description: "Delay before the first retry; default 1,000" })),
    factor: orNull(Type.Number({ minimum: 1, maximum: 100, description: "Factor for each further delay; default 2" })),
    maxBackoffMs: orNull(Type.Integer({ minimum: 0, maximum: 86_400_000, description: "The longest delay; default 300,000" })),
    on: orNull(
      Type.Array(stringEnum(retryReasons), { maxItems: 2, uniqueItems: true, description: "What is retried; default failed and timedout" }),
    ),
  }),
);
