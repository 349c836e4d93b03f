import type { AbstractParam } from "@millrace/contract/common.ts";
import type { RunState } from "../run/run-state.ts";
import type { NamedValue, Plan } from "../workflow/plan.ts";

/** A nested workflow as a test plays it. */
export interface NestedPlan {
  plan: Plan;
  document: { params: readonly AbstractParam[]; timeout?: number | null };
  /** The workflows nested in it. */
  inner: NestedPlans;
}

/** By the name of the task. */
export type NestedPlans = ReadonlyMap<string, NestedPlan>;

export const noNested: NestedPlans = new Map();

/** The initial state of a run of it, or why it can't run. */
export type NewNestedState = (nested: NestedPlan, params: readonly NamedValue[], parent: RunState, ids: () => string) => RunState | string;
