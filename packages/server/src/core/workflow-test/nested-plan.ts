import type { AbstractParam } from "@millrace/contract/common.ts";
import type { RunState } from "../run/run-state.ts";
import type { NamedValue, Plan } from "../workflow/plan.ts";

/** A nested workflow as a test plays it. */
export interface NestedPlan {
  plan: Plan;
  document: { params: readonly AbstractParam[]; timeout?: number | null };
  /** Those in it. */
  inner: NestedPlans;
}

/** By the name of the task. */
export type NestedPlans = ReadonlyMap<string, NestedPlan>;

export const noNested: NestedPlans = new Map();

/** The state of a run of it that has not begun, or why there can be none. */
export type NewNestedState = (nested: NestedPlan, params: readonly NamedValue[], parent: RunState, ids: () => string) => RunState | string;
