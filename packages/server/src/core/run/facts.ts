import { WorkBudget } from "../document/work-budget.ts";
import { chooseEdges, isHiddenByLineEnd, lineEndWarning, maxChangeWork } from "../parameter/condition.ts";
import type { ApproverGroup, ChildAnswer, ChildStart, LaterAnswer, LaterStart } from "../task/task-type.ts";
import type { PlanEdge } from "../workflow/plan.ts";
import type { RunResult } from "./run-state.ts";

/**
 * What `advance` may have to know and only the database can tell: the facts at hand, and the needs that they do not meet. An advance that
 * lacks one is abandoned with `MissingFact`; nothing was written, so the caller fetches the fact and starts again.
 */

export interface Facts {
  /** Fresh ids from the database, taken in order. */
  ids: string[];
  results: Map<string, RunResult[]>;
  /** Results that can't be read, because they are too large together: their bytes, by all their ids. */
  oversized?: Map<string, number>;
  events: Map<string, { status: "succeeded" | "failed"; payload: unknown } | null>;
  locks: Map<string, { held: true } | { held: false; holder: string }>;
  children: Map<string, ChildAnswer>;
  /** Schedules that were made, by the task run that asked for them. */
  later: Map<string, LaterAnswer>;
  /** Approver groups by what they were asked for; null: the team has none of that id or name. */
  groups: Map<string, ApproverGroup | null>;
  /** No fact of the database, but as dear: an advance that starts over, once for each fact, does not pay for its decisions again. */
  decisions: DecisionChoices;
}

/** A new set, before anything was asked for; what is fetched goes into it. */
export function noFacts(): Facts {
  return {
    ids: [],
    results: new Map(),
    events: new Map(),
    locks: new Map(),
    children: new Map(),
    later: new Map(),
    groups: new Map(),
    decisions: new DecisionChoices(),
  };
}

export interface Needs {
  ids?: number;
  results?: string[];
  event?: string;
  lock?: { key: string; taskRunId: string };
  child?: ChildStart;
  later?: LaterStart;
  group?: string;
}

export class MissingFact extends Error {
  readonly needs: Needs;
  constructor(needs: Needs) {
    super("a fact is missing");
    this.needs = needs;
  }
}

/** Of one decision: the first say enough. */
const maxWarnings = 20;

/** About the value of a decision: patterns that were not tried on it, or a line end that is in the way. */
export type ValueWarning = { code: "PATTERN_NOT_TRIED" | "LINE_END_IN_VALUE"; why: string };

/** What the decisions of one change of a run have chosen, and what is left to spend on their patterns. */
class DecisionChoices {
  readonly #known = new Map<number, { value: string; choice: boolean[]; warnings: ValueWarning[] }>();
  readonly #work = new WorkBudget(maxChangeWork);

  /**
   * Of each of these edges whether it is taken, and what may be wrong with that: patterns that were not tried, or a line end.
   * @param node of the decision
   * @throws CostlyPatterns
   */
  choose(node: number, value: string, outgoing: readonly PlanEdge[]): { choice: boolean[]; warnings: ValueWarning[] } {
    const known = this.#known.get(node);
    if (known?.value === value) return known;
    const conditions = outgoing.map((edge) => edge.decisionCondition);
    const warnings = new Set<string>();
    const choice = chooseEdges(value, conditions, {
      work: this.#work,
      warn: (text) => void (warnings.size < maxWarnings && warnings.add(text)),
    });
    const found = [...warnings].map((why): ValueWarning => ({ code: "PATTERN_NOT_TRIED", why }));
    const isMatched = conditions.some((condition, at) => choice[at] && condition);
    if (!isMatched && isHiddenByLineEnd(value, conditions)) found.push({ code: "LINE_END_IN_VALUE", why: lineEndWarning });
    const chosen = { value, choice, warnings: found };
    this.#known.set(node, chosen);
    return chosen;
  }
}
