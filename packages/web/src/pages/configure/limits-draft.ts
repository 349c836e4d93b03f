import type { Part } from "../../editor/draft/use-section-draft.ts";

/** The limits of a workflow as its form holds them, including incomplete input, and their conversion to and from the document. */

type Concurrency = NonNullable<Part["concurrency"]>;
type Rate = NonNullable<Part["rate"]>;
export type LimitAction = NonNullable<Concurrency["onLimit"]>;

export interface LimitsValue {
  /** Undefined: no limit. A number is a string while its field is empty. */
  concurrency: { max: number | string; key: string; onLimit: LimitAction } | undefined;
  rate: { limit: number | string; period: string; key: string } | undefined;
  /** Which events share a run. The fields of a batch are kept while a debounce is selected, and the other way round. */
  collect: { kind: "debounce" | "batch"; period: string; maxWait: string; size: number | string; param: string; key: string } | undefined;
  priority: number | string;
}

const usualPriority = 5;
export const newConcurrency: NonNullable<LimitsValue["concurrency"]> = { max: 1, key: "", onLimit: "queue" };
export const newCollect: NonNullable<LimitsValue["collect"]> = {
  kind: "debounce",
  period: "10s",
  maxWait: "",
  size: 100,
  param: "",
  key: "",
};
export const newRate: NonNullable<LimitsValue["rate"]> = { limit: 10, period: "1m", key: "" };

export function readLimits({ concurrency, rate, debounce, batch, priority }: Part): LimitsValue {
  return {
    collect: readCollect(debounce, batch),
    concurrency: concurrency
      ? { max: concurrency.max, key: concurrency.key ?? "", onLimit: concurrency.onLimit ?? newConcurrency.onLimit }
      : undefined,
    rate: rate ? { limit: rate.limit, period: String(rate.period), key: rate.key ?? "" } : undefined,
    priority: priority ?? usualPriority,
  };
}

function readCollect(debounce: Part["debounce"], batch: Part["batch"]): LimitsValue["collect"] {
  if (debounce) {
    const maxWait = debounce.maxWait == null ? "" : String(debounce.maxWait);
    return { ...newCollect, period: String(debounce.period), maxWait, key: debounce.key ?? "" };
  }
  const { size, period, param, key } = batch ?? {};
  if (size === undefined) return undefined;
  return { ...newCollect, kind: "batch", size, period: String(period), param: param ?? "", key: key ?? "" };
}

/** @returns undefined while a number is missing */
export function writeLimits({ concurrency, rate, collect, priority }: LimitsValue, before: Part): Part | undefined {
  if (collect && (collect.period.trim() === "" || (collect.kind === "batch" && (collect.size === "" || collect.param === ""))))
    return undefined;
  if (concurrency?.max === "" || rate?.limit === "" || rate?.period.trim() === "" || priority === "") return undefined;
  return {
    concurrency: concurrency ? writeConcurrency(concurrency, before.concurrency) : absentAs(before.concurrency),
    rate: rate ? writeRate(rate) : absentAs(before.rate),
    debounce: collect?.kind === "debounce" ? writeDebounce(collect) : absentAs(before.debounce),
    batch: collect?.kind === "batch" ? writeBatch(collect) : absentAs(before.batch),
    priority: Number(priority) === usualPriority && before.priority == null ? absentAs(before.priority) : Number(priority),
  } as Part;
}

/** Represents an absent value the way the saved document does, so that unchanged limits don't count as changed. */
function absentAs(before: unknown): null | undefined {
  return before === undefined ? undefined : null;
}

function writeConcurrency({ max, key, onLimit }: NonNullable<LimitsValue["concurrency"]>, before: Part["concurrency"]): Concurrency {
  const isSaid = onLimit !== newConcurrency.onLimit || before?.onLimit != null;
  return { max: Number(max), ...(key !== "" && { key }), ...(isSaid && { onLimit }) };
}

function writeRate({ limit, period, key }: NonNullable<LimitsValue["rate"]>): Rate {
  return { limit: Number(limit), period: periodOf(period), ...(key !== "" && { key }) };
}

function writeDebounce({ period, maxWait, key }: NonNullable<LimitsValue["collect"]>): NonNullable<Part["debounce"]> {
  return { period: periodOf(period), ...(maxWait.trim() !== "" && { maxWait: periodOf(maxWait) }), ...(key !== "" && { key }) };
}

function writeBatch({ size, period, param, key }: NonNullable<LimitsValue["collect"]>): NonNullable<Part["batch"]> {
  return { size: Number(size), period: periodOf(period), param, ...(key !== "" && { key }) };
}

function periodOf(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text.trim();
}
