import type { AbstractParam } from "@millrace/contract/common.ts";
import {
  type Batch,
  type ConcurrencyLimit,
  type Debounce,
  defaultPriority,
  type LimitAction,
  type RateLimit,
} from "@millrace/contract/run/run-control.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { findReferences, type Reference } from "../parameter/references.ts";
import { isSecretParam } from "../parameter/secret-params.ts";

/** How a version of a workflow limits and orders its runs (docs/concurrency.md): read from its document, and checked when it is saved. */

export interface RunControl {
  concurrency: { key: string; max: number; onLimit: LimitAction } | undefined;
  rate: { key: string; limit: number; periodMs: number } | undefined;
  /** Which events share a run. */
  collect: CollectControl | undefined;
  priority: number;
}

/** A batch collects each event as an entry of a list; a debounce runs only the last event. */
export type CollectControl = { key: string; periodMs: number } & (
  | { kind: "debounce"; maxWaitMs: number }
  | { kind: "batch"; size: number; param: string }
);

/** The members of a document that set this. */
export interface ControlDocument {
  concurrency?: ConcurrencyLimit;
  rate?: RateLimit;
  debounce?: Debounce;
  batch?: Batch;
  priority?: number;
}

/** @returns undefined if the document has no such member, which is the common case */
export function readControl({ concurrency, rate, debounce, batch, priority }: ControlDocument): RunControl | undefined {
  if (!concurrency && !rate && !debounce && !batch && (priority === undefined || priority === defaultPriority)) return undefined;
  return {
    concurrency: concurrency && { key: concurrency.key ?? "", max: concurrency.max, onLimit: concurrency.onLimit ?? "queue" },
    rate: rate && { key: rate.key ?? "", limit: rate.limit, periodMs: periodMs(rate.period) ?? 1000 },
    collect: readCollect(debounce, batch),
    priority: priority ?? defaultPriority,
  };
}

function readCollect(debounce: Debounce | undefined, batch: Batch | undefined): CollectControl | undefined {
  if (debounce) {
    const maxWaitMs = debounce.maxWait == null ? maxPeriodMs : (periodMs(debounce.maxWait) ?? maxPeriodMs);
    return { kind: "debounce", key: debounce.key ?? "", periodMs: periodMs(debounce.period) ?? 1000, maxWaitMs };
  }
  return batch && { kind: "batch", key: batch.key ?? "", size: batch.size, periodMs: periodMs(batch.period) ?? 1000, param: batch.param };
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const maxPeriodMs = 7 * unitMs.d;

/** @returns undefined if it is not a valid period */
export function periodMs(period: number | string): number | undefined {
  if (typeof period === "number") return period * 1000;
  const found = /^([1-9]\d{0,8})([smhd])$/.exec(period);
  return found ? Number(found[1]) * unitMs[found[2] as keyof typeof unitMs] : undefined;
}

/** Problems with these members, by place. */
export function controlFaults(document: ControlDocument & { params: readonly AbstractParam[] }): ErrorDetail[] {
  const { concurrency, rate, debounce, batch, params } = document;
  return [
    ...keyFaults(concurrency?.key, "/concurrency/key", params),
    ...keyFaults(rate?.key, "/rate/key", params),
    ...keyFaults(debounce?.key, "/debounce/key", params),
    ...keyFaults(batch?.key, "/batch/key", params),
    ...periodFaults(rate?.period, "/rate/period"),
    ...periodFaults(debounce?.period, "/debounce/period"),
    ...periodFaults(debounce?.maxWait, "/debounce/maxWait"),
    ...periodFaults(batch?.period, "/batch/period"),
    ...(debounce && batch ? [{ path: "/batch", message: "a workflow has debounce or batch; leave one of them out" }] : []),
    ...(debounce ? waitFaults(debounce) : []),
    ...(batch ? batchFaults(batch, params) : []),
  ];
}

function waitFaults({ period, maxWait }: Debounce): ErrorDetail[] {
  const [quiet, most] = [periodMs(period), maxWait == null ? undefined : periodMs(maxWait)];
  if (quiet === undefined || most === undefined || most >= quiet) return [];
  return [
    { path: "/debounce/maxWait", message: `is ${JSON.stringify(maxWait)}; it must be at least the period, ${JSON.stringify(period)}` },
  ];
}

/** The list must be stored where people see it, and no default or key may use it before it is complete. */
function batchFaults({ param, key }: Batch, params: readonly AbstractParam[]): ErrorDetail[] {
  const path = "/batch/param";
  const declared = params.find(({ name }) => name === param);
  if (!declared)
    return [{ path, message: `is ${JSON.stringify(param)}, which is not a parameter of the workflow; declare it with the type json` }];
  if (!listTypes.has(declared.type ?? "text"))
    return [
      { path, message: `is ${JSON.stringify(param)}, which has the type ${declared.type ?? "text"}; a list needs the type json or array` },
    ];
  const isUse = (text: unknown) => findReferences(text).some((reference) => reference.kind === "param" && reference.name === param);
  const user = params.find((other) => isUse(other.default ?? other.value));
  if (user)
    return [
      { path, message: `is ${JSON.stringify(param)}, which the default of ${user.name} refers to; its list is not known at that point` },
    ];
  return key && isUse(key)
    ? [{ path: "/batch/key", message: `refers to ${param}, the list of the batch; refer to another parameter` }]
    : [];
}

const listTypes: ReadonlySet<string> = new Set(["json", "array"]);

function periodFaults(period: number | string | null | undefined, path: string): ErrorDetail[] {
  if (period === undefined || period === null) return [];
  const ms = periodMs(period);
  if (ms === undefined)
    return [{ path, message: `is ${JSON.stringify(period)}; it must be seconds, or a number with s, m, h or d, such as 1m` }];
  return ms <= maxPeriodMs ? [] : [{ path, message: `is ${JSON.stringify(period)}; it must be at most 7d` }];
}

function keyFaults(key: string | null | undefined, path: string, params: readonly AbstractParam[]): ErrorDetail[] {
  if (!key) return [];
  const references = findReferences(key);
  if (references.length === 0) {
    const message = `is ${JSON.stringify(key)}, the same text for every run; refer to a parameter, such as $(params.customer), or leave it out`;
    return [{ path, message }];
  }
  const secrets = new Set(params.filter(isSecretParam).map(({ name }) => name));
  return references.flatMap((reference) => {
    const why = whyNoKey(reference, secrets);
    return why === undefined ? [] : [{ path, message: `${reference.text} ${why}` }];
  });
}

/** A key is computed when the run is submitted, and people see it. */
function whyNoKey(reference: Reference, secrets: ReadonlySet<string>): string | undefined {
  if (reference.kind !== "param" || reference.layer === "loop")
    return "is known only while the run runs; a key can refer to parameters of the run";
  if (reference.layer === "global" || reference.layer === "team") return undefined;
  const isSecret = reference.layer !== "context" && secrets.has(reference.name);
  return isSecret ? "is a secret, and a key is shown to people; refer to another parameter" : undefined;
}
