import { maxForEachItems } from "@millrace/contract/workflow/for-each.ts";
import type { PreviewItems, PreviewLoop } from "@millrace/contract/workflow/workflow-preview.ts";
import { shorten } from "../../base/text/shorten.ts";
import { WorkBudget } from "../document/work-budget.ts";
import { CostlyPatterns, matchesAnyLine } from "../parameter/condition.ts";
import type { Loop } from "../workflow/compile-loop.ts";
import type { ForEach } from "../workflow/plan.ts";
import type { Preview, PreviewResult } from "./draft/preview-expressions.ts";

/** What the condition of a loop and the list of a forEach give with the current values, before the task runs. */

const shownLength = 200;
/** The same work that one change of a run may spend on its loops. */
const maxWork = 20_000_000;

/** @param rounds number of rounds before, of which the preview knows the last; 0: none is known */
export function previewLoop(preview: Preview, loop: Loop, rounds: number): PreviewLoop {
  if (loop.kind === "until" && rounds === 0)
    return { rounds, why: "the condition is checked after a round; choose a run in which this task has run, or try it" };
  const found = preview.resolveSetting(loop.value, "string");
  const unclear = whyUnclear(found);
  if (unclear !== undefined) return { rounds, why: unclear };
  const text = textOf(found.value);
  const value = shorten(text, shownLength);
  const untried: string[] = [];
  try {
    const holds = matchesAnyLine(text, loop.matches, { work: new WorkBudget(maxWork), warn: (why) => void untried.push(why) });
    const [why] = untried;
    return holds || why === undefined ? { rounds, value, holds, ends: holds === (loop.kind === "until") } : { rounds, value, why };
  } catch (error) {
    if (!(error instanceof CostlyPatterns)) throw error;
    return { rounds, value, why: "the patterns are too costly for this value" };
  }
}

export function previewItems(preview: Preview, { items, batchSize = 1 }: ForEach): PreviewItems {
  const found = typeof items === "string" ? preview.resolveSetting(items, "array") : undefined;
  const unclear = found && whyUnclear(found);
  if (unclear !== undefined) return { why: unclear };
  const list = listOf(found ? found.value : items);
  if (!Array.isArray(list)) return { why: `it must be a list, and is ${shorten(textOf(list), shownLength)}` };
  if (list.length > maxForEachItems) return { why: `it has ${list.length} items; at most ${maxForEachItems} are allowed` };
  const first: unknown = batchSize === 1 ? list[0] : list.slice(0, batchSize);
  return {
    count: Math.ceil(list.length / batchSize),
    ...(list.length > 0 && { first: shorten(textOf(first), shownLength) }),
  };
}

function whyUnclear({ unknown, missing, isSecret, value }: PreviewResult): string | undefined {
  const [open] = [...unknown, ...missing];
  if (open) return `${open.reference}: ${open.why}`;
  if (isSecret) return "the value is secret";
  return value === undefined ? "the value is too large" : undefined;
}

/** The list may be given as JSON text. */
function listOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
