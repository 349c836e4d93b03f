import type { Trigger, TriggerCondition } from "@millrace/contract/trigger.ts";
import { compilePattern, maxSubjectLength, PatternError } from "../base/pattern.ts";
import { eventFits } from "./event-filters/event-fits.ts";
import { findByJsonPath } from "./json-path.ts";

/** What arrived, as the conditions of a trigger look at it. */
export interface Arrived {
  /** What JSONPaths lead into: the whole event, or the payload. */
  document: unknown;
  /** Values of the words that are fields of their own; for the codehost those of codehost-words.ts. */
  words?: Readonly<Record<string, readonly string[]>>;
  /** What filters look at: the context attributes of an event. Without them no filter holds. */
  attributes?: Readonly<Record<string, unknown>>;
  /** A webhook that is signed with the secret of the workflow. */
  isSigned?: boolean;
}

/** The first condition or filter that does not hold, as a sentence; undefined when all hold. */
export function unmetCondition(trigger: Partial<Trigger>, arrived: Arrived): string | undefined {
  const unmet = trigger.conditions?.find((condition) => !conditionHolds(condition, arrived));
  return unmet ? `the condition that ${describe(unmet)} does not hold` : unmetFilter(trigger, arrived);
}

function unmetFilter({ filters = [] }: Partial<Trigger>, { attributes = {} }: Arrived): string | undefined {
  const unmet = filters.find((filter) => !eventFits([filter], attributes));
  return unmet && `the filter ${JSON.stringify(unmet).slice(0, 100)} does not hold`;
}

/** The texts that a field leads to. */
export function textsAt(field: string, { document, words }: Arrived): string[] {
  const word = words && Object.hasOwn(words, field) ? words[field] : undefined;
  const found = word ?? findByJsonPath(document, field);
  return found.map(asText).filter((text) => text !== undefined);
}

/** A field that leads to several values holds when one of them does; one that leads nowhere never holds. */
export function conditionHolds(condition: TriggerCondition, arrived: Arrived): boolean {
  const texts = textsAt(condition.field, arrived);
  switch (condition.operation) {
    case "equals":
      return texts.includes(condition.value ?? "");
    case "in":
      return texts.some((text) => condition.values?.includes(text));
    case "matches":
      return matchesAny(condition.value ?? "", texts);
  }
}

/** Conditions are written as texts, so numbers and booleans are compared as JSON writes them; null is as good as absent. */
function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** All texts together may be as long as one may be: what one condition costs has a bound, whatever arrives. */
function matchesAny(text: string, subjects: readonly string[]): boolean {
  try {
    const pattern = compilePattern(text);
    let left = maxSubjectLength;
    return subjects.some((subject) => {
      left -= subject.length;
      return left >= 0 && pattern.fullMatch(subject).matches;
    });
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

function describe({ field, operation, value, values }: TriggerCondition): string {
  if (operation === "in") return `${field} is one of ${(values ?? []).join(", ").slice(0, 100)}`;
  return `${field} ${operation} ${JSON.stringify((value ?? "").slice(0, 100))}`;
}
