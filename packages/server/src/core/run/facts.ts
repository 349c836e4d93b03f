import { WorkBudget } from "../document/work-budget.ts";
import { chooseEdges, isHiddenByLineEnd, lineEndWarning, maxChangeWork } from "../parameter/condition.ts";
import type { ApproverGroup, ChildAnswer, ChildStart, LaterAnswer, LaterStart } from "../task/task-type.ts";
import type { PlanEdge } from "../workflow/plan.ts";
import type { RunResult } from "./run-state.ts";

/**
 * What `advance` may need to know and only the database can tell: the facts at hand, and the missing ones that it needs. An advance that
 * lacks a fact is abandoned with `MissingFact`. Nothing has been written by then, so the caller fetches the fact and starts over.
 */

export interface Facts {
  /** Fresh ids from the database, taken in order. */
  ids: string[];
  results: Map<string, RunResult[]>;
  /** Results that can't be read because together they are too large: their total bytes, by all their ids joined. */
  oversized?: Map<string, number>;
  events: Map<string, { status: "succeeded" | "failed"; payload: unknown } | null>;
  locks: Map<string, { held: true } | { held: false; holder: string }>;
  children: Map<string, ChildAnswer>;
  /** Schedules that were created, by the task run that asked for them. */
  later: Map<string, LaterAnswer>;
  /** Approver groups, by the id or name they were requested by; null: the team has no such group. */
  groups: Map<string, ApproverGroup | null>;
  /**
   * Not facts of the database, but just as expensive: an advance starts over once for each missing fact, and must not compute its decisions
   * again each time.
   */
  decisions: DecisionChoices;
}

/** An empty set, before anything was requested; fetched facts are added to it. */
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

/** For one decision: the first few say enough. */
const maxWarnings = 20;

/** About the value of a decision: patterns that were not tried on it, or a line end that prevents a match. */
export type ValueWarning = { code: "PATTERN_NOT_TRIED" | "LINE_END_IN_VALUE"; why: string };

/** What the decisions in one change of a run have chosen, and how much work is left for evaluating their patterns. */
class DecisionChoices {
  readonly #known = new Map<number, { value: string; choice: boolean[]; warnings: ValueWarning[] }>();
  #work: WorkBudget | undefined;

  /**
   * For each of these edges whether it is chosen, and warnings about the choice: patterns that were not tried, or a line end.
   * @param node of the decision
   * @throws CostlyPatterns
   */
  choose(node: number, value: string, outgoing: readonly PlanEdge[]): { choice: boolean[]; warnings: ValueWarning[] } {
    const known = this.#known.get(node);
    if (known?.value === value) return known;
    this.#work ??= new WorkBudget(maxChangeWork);
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
