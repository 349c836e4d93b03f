import type { AbstractParam } from "@millrace/contract/common.ts";
import { type ConcurrencyLimit, defaultPriority, type LimitAction, type RateLimit } from "@millrace/contract/run-control.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { findReferences, type Reference } from "../parameter/references.ts";
import { isSecretParam } from "../parameter/secret-params.ts";

/** How a version of a workflow limits and orders its runs (docs/concurrency.md): read from its document, and checked when it is saved. */

export interface RunControl {
  concurrency: { key: string; max: number; onLimit: LimitAction } | undefined;
  rate: { key: string; limit: number; periodMs: number } | undefined;
  priority: number;
}

/** The members of a document that are about it. */
export interface ControlDocument {
  concurrency?: ConcurrencyLimit;
  rate?: RateLimit;
  priority?: number;
}

/** @returns undefined when the document has no such member, which is the common case */
export function readControl({ concurrency, rate, priority }: ControlDocument): RunControl | undefined {
  if (!concurrency && !rate && (priority === undefined || priority === defaultPriority)) return undefined;
  return {
    concurrency: concurrency && { key: concurrency.key ?? "", max: concurrency.max, onLimit: concurrency.onLimit ?? "queue" },
    rate: rate && { key: rate.key ?? "", limit: rate.limit, periodMs: periodMs(rate.period) ?? 1000 },
    priority: priority ?? defaultPriority,
  };
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const maxPeriodMs = 7 * unitMs.d;

/** @returns undefined for what is no period */
export function periodMs(period: number | string): number | undefined {
  if (typeof period === "number") return period * 1000;
  const found = /^([1-9]\d{0,8})([smhd])$/.exec(period);
  return found ? Number(found[1]) * unitMs[found[2] as keyof typeof unitMs] : undefined;
}

/** What is wrong with them, by place. */
export function controlFaults({ concurrency, rate, params }: ControlDocument & { params: readonly AbstractParam[] }): ErrorDetail[] {
  return [
    ...keyFaults(concurrency?.key, "/concurrency/key", params),
    ...keyFaults(rate?.key, "/rate/key", params),
    ...periodFaults(rate?.period),
  ];
}

function periodFaults(period: number | string | undefined): ErrorDetail[] {
  if (period === undefined) return [];
  const ms = periodMs(period);
  const path = "/rate/period";
  if (ms === undefined)
    return [{ path, message: `is ${JSON.stringify(period)}; it must be seconds, or a number with s, m, h or d, as 1m` }];
  return ms <= maxPeriodMs ? [] : [{ path, message: `is ${JSON.stringify(period)}; it must be at most 7d` }];
}

function keyFaults(key: string | null | undefined, path: string, params: readonly AbstractParam[]): ErrorDetail[] {
  if (!key) return [];
  const references = findReferences(key);
  if (references.length === 0) {
    const message = `is ${JSON.stringify(key)}, the same text for every run; refer to a parameter, as $(params.customer), or leave it out`;
    return [{ path, message }];
  }
  const secrets = new Set(params.filter(isSecretParam).map(({ name }) => name));
  return references.flatMap((reference) => {
    const why = whyNoKey(reference, secrets);
    return why === undefined ? [] : [{ path, message: `${reference.text} ${why}` }];
  });
}

/** A key is made when the run is submitted, and people read it. */
function whyNoKey(reference: Reference, secrets: ReadonlySet<string>): string | undefined {
  if (reference.kind !== "param") return "is known only while the run runs; a key can refer to parameters of the run";
  if (reference.layer === "global" || reference.layer === "team") return undefined;
  const isSecret = reference.layer !== "context" && secrets.has(reference.name);
  return isSecret ? "is a secret, and a key is shown to people; refer to another parameter" : undefined;
}
