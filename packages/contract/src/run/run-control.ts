import Type, { type Static } from "typebox";
import { named, orNull, stringEnum } from "../schema.ts";

/**
 * How many runs of a workflow run at once, how fast they start, which comes first, and which events share a run. It is part of the
 * document, so each version has its own.
 */

const limitActions = ["queue", "skip", "cancelOldest"] as const;
/** What happens to a run if no slot is free. */
export type LimitAction = (typeof limitActions)[number];

const maxKeyExpressionLength = 1000;

const key = orNull(
  Type.String({
    maxLength: maxKeyExpressionLength,
    description: "Text with references to parameters of the run. Each value of it has a limit of its own; absent: one limit for all runs",
    examples: ["$(params.customer)"],
  }),
);

export interface ConcurrencyLimit extends Static<typeof concurrencyLimit> {}
export const concurrencyLimit = named(
  "ConcurrencyLimit",
  Type.Object(
    {
      max: Type.Integer({ minimum: 1, maximum: 1000, description: "Runs that may run at once" }),
      key,
      onLimit: orNull(
        stringEnum(limitActions, {
          description:
            "For a run that finds no free slot. queue (default): it waits; skip: it ends as cancelled; cancelOldest: it waits, and the oldest " +
            "run is cancelled for it",
        }),
      ),
    },
    { examples: [{ key: "$(params.customer)", max: 1, onLimit: "queue" }] },
  ),
);

export interface RateLimit extends Static<typeof rateLimit> {}
export const rateLimit = named(
  "RateLimit",
  Type.Object(
    {
      limit: Type.Integer({ minimum: 1, maximum: 1000, description: "Runs that may start within the period" }),
      period: Type.Unsafe<number | string>({
        type: ["integer", "string"],
        minimum: 1,
        maxLength: 20,
        description: "Seconds, or a number with s, m, h or d; at most 7d",
        examples: ["1m"],
      }),
      key,
    },
    { examples: [{ limit: 10, period: "1m" }] },
  ),
);

const period = (description: string) =>
  Type.Unsafe<number | string>({ type: ["integer", "string"], minimum: 1, maxLength: 20, description, examples: ["10s"] });

const collectionKey = orNull(
  Type.String({
    maxLength: maxKeyExpressionLength,
    description: "Text with references to parameters of the run. Each value of it has a run of its own; absent: one run for all events",
    examples: ["$(params.customer)"],
  }),
);

/** The last of several events starts the run. */
export interface Debounce extends Static<typeof debounce> {}
export const debounce = named(
  "Debounce",
  Type.Object(
    {
      period: period("The run starts when no event has come for so long. Seconds, or a number with s, m, h or d; at most 7d"),
      maxWait: orNull(period("Longest time from the first event to the start; at most 7d, which is the default")),
      key: collectionKey,
    },
    { examples: [{ key: "$(params.customer)", period: "10s", maxWait: "5m" }] },
  ),
);

export const maxBatchSize = 1000;

/** Several events start one run. */
export interface Batch extends Static<typeof batch> {}
export const batch = named(
  "Batch",
  Type.Object(
    {
      size: Type.Integer({ minimum: 1, maximum: maxBatchSize, description: "Events at which the run starts" }),
      period: period("Longest time from the first event to the start. Seconds, or a number with s, m, h or d; at most 7d"),
      param: Type.String({
        minLength: 1,
        maxLength: 250,
        description: "The parameter of the workflow that gets the list, of type json or array",
      }),
      key: collectionKey,
    },
    { examples: [{ key: "$(params.customer)", size: 100, period: "1m", param: "events" }] },
  ),
);

export const defaultPriority = 5;
export const runPriority = Type.Integer({ minimum: 0, maximum: 9 });
