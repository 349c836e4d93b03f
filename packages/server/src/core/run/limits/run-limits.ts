import { defaultPriority } from "@millrace/contract/run/run-control.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { resolveText } from "../../parameter/parameters.ts";
import { scanReferences } from "../../parameter/references.ts";
import { secretMask } from "../../parameter/secret-params.ts";
import type { RunControl } from "../../workflow/run-control.ts";
import type { Layers } from "../run-state.ts";

/** The limits of one run: the keys that its workflow defines, resolved with the values the run was submitted with. */

export const maxKeyLength = 256;

interface LimitKey {
  key: string;
  /** How people see it: `customer=acme`. */
  label: string;
}

/**
 * The key of a limit. A reference without a value becomes empty text, so all runs without a value share one limit.
 *
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT if it is too long or would contain a secret
 */
export function limitKey(expression: string, member: string, layers: Layers): LimitKey {
  if (expression === "") return { key: "", label: "this workflow" };
  const key = resolveKey(expression, layers);
  const refuse = (why: string) => new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [`the ${member} ${expression} of the workflow ${why}`]);
  if (key.includes(secretMask)) throw refuse("has a secret as its value, and a key is shown to people; refer to another parameter");
  if (key.length > maxKeyLength) throw refuse(`has ${key.length} characters for this run; it may have at most ${maxKeyLength}`);
  const [found, ...others] = scanReferences(expression);
  const isWhole = found?.reference?.kind === "param" && others.length === 0 && found.reference.text === expression;
  const name = isWhole && found.reference?.kind === "param" ? [found.reference.name, ...found.reference.path].at(-1) : undefined;
  return { key, label: name === undefined ? `key ${JSON.stringify(key)}` : `${name}=${key}` };
}

function resolveKey(expression: string, layers: Layers): string {
  const { value, warnings } = resolveText(expression, layers);
  // A reference without a value stays as written in the resolved text; in a key it is removed.
  return warnings.reduce((text, { reference }) => text.replaceAll(reference, ""), value);
}

const levelMs = 600_000;
const normal = defaultPriority;

/**
 * The place of a run in a queue: its id, whose first 48 bits are its creation time, moved earlier or later by ten minutes for each level of
 * priority. So no run, whatever its priority, is overtaken by runs that are created more than 90 minutes after it.
 */
export function rankOf(id: string, priority: number): string {
  const ms = msOf(id) - (priority - normal) * levelMs;
  const shifted = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${shifted.slice(0, 8)}-${shifted.slice(8)}${id.slice(13)}`;
}

/** @returns undefined if the place is the id itself, as for most runs */
export function queueRankOf(id: string, priority: number): string | undefined {
  const rank = rankOf(id, priority);
  return rank === id ? undefined : rank;
}

/** The priority that leads to this place in the queue. @param queueRank null: the place is the id */
export function priorityOf(id: string, queueRank: string | null): number {
  return queueRank === null ? normal : normal + Math.round((msOf(id) - msOf(queueRank)) / levelMs);
}

/** The time in the first 48 bits. */
function msOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

/** @returns undefined if the workflow limits neither how many runs run at once nor how many start in a time */
export function limitsOf(control: RunControl, layers: Layers, rank: string) {
  const { concurrency, rate } = control;
  if (!concurrency && !rate) return undefined;
  const slot = concurrency && limitKey(concurrency.key, "concurrency.key", layers);
  const pace = rate && limitKey(rate.key, "rate.key", layers);
  return {
    rank,
    key: slot?.key ?? null,
    label: slot?.label ?? null,
    max: concurrency?.max ?? null,
    on_limit: concurrency?.onLimit ?? null,
    rate_key: pace?.key ?? null,
    rate_label: pace?.label ?? null,
    rate_limit: rate?.limit ?? null,
    rate_ms: rate?.periodMs ?? null,
  };
}
