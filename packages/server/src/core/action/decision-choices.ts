import { WorkBudget } from "../document/work-budget.ts";
import { chooseEdges, maxChangeWork } from "../parameter/condition.ts";
import type { PlanEdge } from "../workflow/plan.ts";

/** Of one decision: the first say enough. */
const maxWarnings = 20;

/** What the decisions of one change of a run have chosen, and what is left to spend on their patterns. */
export class DecisionChoices {
  private readonly known = new Map<number, { value: string; choice: boolean[]; warnings: string[] }>();
  private readonly work = new WorkBudget(maxChangeWork);

  /**
   * Of each of these edges whether it is taken, and which patterns were not tried, in sentences.
   * @param node of the decision
   * @throws CostlyPatterns
   */
  choose(node: number, value: string, outgoing: readonly PlanEdge[]): { choice: boolean[]; warnings: string[] } {
    const known = this.known.get(node);
    if (known?.value === value) return known;
    const conditions = outgoing.map((edge) => edge.decisionCondition);
    const warnings = new Set<string>();
    const choice = chooseEdges(value, conditions, {
      work: this.work,
      warn: (text) => void (warnings.size < maxWarnings && warnings.add(text)),
    });
    const chosen = { value, choice, warnings: [...warnings] };
    this.known.set(node, chosen);
    return chosen;
  }
}
