import type { Part } from "./use-section-draft.ts";

/** The limits of a workflow as its form has them: fields that are being typed, and what of them the document can say. */

type Concurrency = NonNullable<Part["concurrency"]>;
type Rate = NonNullable<Part["rate"]>;
export type LimitAction = NonNullable<Concurrency["onLimit"]>;

export interface LimitsValue {
  /** Undefined: not limited. A number is text while it is empty. */
  concurrency: { max: number | string; key: string; onLimit: LimitAction } | undefined;
  rate: { limit: number | string; period: string; key: string } | undefined;
  priority: number | string;
}

const usualPriority = 5;
export const newConcurrency: NonNullable<LimitsValue["concurrency"]> = { max: 1, key: "", onLimit: "queue" };
export const newRate: NonNullable<LimitsValue["rate"]> = { limit: 10, period: "1m", key: "" };

export function readLimits({ concurrency, rate, priority }: Part): LimitsValue {
  return {
    concurrency: concurrency
      ? { max: concurrency.max, key: concurrency.key ?? "", onLimit: concurrency.onLimit ?? newConcurrency.onLimit }
      : undefined,
    rate: rate ? { limit: rate.limit, period: String(rate.period), key: rate.key ?? "" } : undefined,
    priority: priority ?? usualPriority,
  };
}

/** @returns undefined while a number is missing */
export function writeLimits({ concurrency, rate, priority }: LimitsValue, before: Part): Part | undefined {
  if (concurrency?.max === "" || rate?.limit === "" || rate?.period.trim() === "" || priority === "") return undefined;
  return {
    concurrency: concurrency ? writeConcurrency(concurrency, before.concurrency) : absentAs(before.concurrency),
    rate: rate ? writeRate(rate) : absentAs(before.rate),
    priority: Number(priority) === usualPriority && before.priority == null ? absentAs(before.priority) : Number(priority),
  } as Part;
}

/** As the saved document leaves it out, so that nothing counts as changed that is the same. */
function absentAs(before: unknown): null | undefined {
  return before === undefined ? undefined : null;
}

function writeConcurrency({ max, key, onLimit }: NonNullable<LimitsValue["concurrency"]>, before: Part["concurrency"]): Concurrency {
  const isSaid = onLimit !== newConcurrency.onLimit || before?.onLimit != null;
  return { max: Number(max), ...(key !== "" && { key }), ...(isSaid && { onLimit }) };
}

function writeRate({ limit, period, key }: NonNullable<LimitsValue["rate"]>): Rate {
  const seconds = /^\d+$/.test(period.trim());
  return { limit: Number(limit), period: seconds ? Number(period) : period.trim(), ...(key !== "" && { key }) };
}
