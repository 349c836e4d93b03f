import type { Trigger, TriggerCondition } from "@millrace/contract/inbound/trigger.ts";
import { compilePattern, maxSubjectLength, PatternError } from "../../base/text/pattern.ts";
import { compileSteps, WorkBudget } from "../document/work-budget.ts";
import { eventFits } from "../event-filters/event-fits.ts";
import { findByJsonPath } from "../parameter/json-path.ts";

/** An inbound event as the conditions of a trigger see it. */
export interface InboundEvent {
  /** What JSONPaths select from: the whole event, or the payload. */
  document: unknown;
  /** Values of the special words among the fields; for the codehost those of codehost-words.ts. */
  words?: Readonly<Record<string, readonly string[]>>;
  /** What filters check: the context attributes of an event. Without them no filter holds. */
  attributes?: Readonly<Record<string, unknown>>;
  /** A webhook that is signed with the secret of the workflow. */
  isSigned?: boolean;
}

/** For all conditions of a trigger on one event; about a tenth of a second. */
const maxWork = 40_000_000;

export function conditionWork(): WorkBudget {
  return new WorkBudget(maxWork);
}

/** The first condition or filter that does not hold, as a sentence; undefined if all hold. */
export function unmetCondition(trigger: Partial<Trigger>, arrived: InboundEvent): string | undefined {
  const work = conditionWork();
  const unmet = trigger.conditions?.find((condition) => !conditionHolds(condition, arrived, work));
  if (unmet && work.isSpent)
    return `the conditions up to the one that ${describe(unmet)} are too costly for this payload; use fewer of them, simpler patterns or paths that lead to fewer values`;
  return unmet ? `the condition that ${describe(unmet)} does not match` : unmetFilter(trigger, arrived);
}

function unmetFilter({ filters = [] }: Partial<Trigger>, { attributes = {} }: InboundEvent): string | undefined {
  const unmet = filters.find((filter) => !eventFits([filter], attributes));
  return unmet && `the filter ${JSON.stringify(unmet).slice(0, 100)} does not match`;
}

/** The texts that a field selects. */
export function textsAt(field: string, { document, words }: InboundEvent, work?: WorkBudget): string[] {
  const word = words && Object.hasOwn(words, field) ? words[field] : undefined;
  const found = word ?? findByJsonPath(document, field, work);
  return found.map(asText).filter((text) => text !== undefined);
}

/** A condition on a field with several values holds if one of them matches; it never holds without a value, or once the work is used up. */
export function conditionHolds(condition: TriggerCondition, arrived: InboundEvent, work: WorkBudget): boolean {
  if (work.isSpent) return false;
  const texts = textsAt(condition.field, arrived, work);
  if (work.isSpent) return false;
  switch (condition.operation) {
    case "equals":
      return texts.includes(condition.value ?? "");
    case "in": {
      const wanted = new Set(condition.values);
      return texts.some((text) => wanted.has(text));
    }
    case "matches":
      return matchesAny(condition.value ?? "", texts, work);
  }
}

/** Conditions are written as texts, so numbers and booleans are compared in their JSON form; null counts as absent. */
function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The limit for all texts together is the same as for a single one: this limits the cost of a condition for any event. */
function matchesAny(text: string, subjects: readonly string[], work: WorkBudget): boolean {
  try {
    const pattern = compilePattern(text);
    work.spend(pattern.size * compileSteps);
    let left = maxSubjectLength;
    return subjects.some((subject) => {
      left -= subject.length;
      return left >= 0 && work.spend(pattern.size * subject.length) && pattern.fullMatch(subject).matches;
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
