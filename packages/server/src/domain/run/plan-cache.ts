import { compilePlan, type DocumentNode, type Plan, type PlanTask } from "../../core/workflow/plan.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findPlanDocument, listPlanTasks } from "../../store/run/plans.ts";

/** Plans by content. A plan never changes, so an entry never goes stale; the oldest go when the nodes of all exceed the limit. */
export interface PlanKey {
  teamId: string;
  workflowVersionId: string;
  taskVersionIds: readonly string[];
}

const maxNodes = 200_000;

export class PlanCache {
  private readonly plans = new Map<string, Plan>();
  private nodes = 0;

  async load(db: Queryable, key: PlanKey): Promise<Plan> {
    const name = `${key.workflowVersionId} ${key.taskVersionIds.join(" ")}`;
    const known = this.plans.get(name);
    if (known) return known;
    const [document, tasks] = await Promise.all([
      findPlanDocument(db, key.teamId, key.workflowVersionId),
      listPlanTasks(db, key.taskVersionIds),
    ]);
    if (!document) throw new Error(`workflow version ${key.workflowVersionId} is gone`);
    const plan = compilePlan(document, taskFinder(tasks));
    this.keep(name, plan);
    return plan;
  }

  private keep(name: string, plan: Plan): void {
    this.plans.set(name, plan);
    this.nodes += plan.nodes.length;
    for (const [oldest, { nodes }] of this.plans) {
      if (this.nodes <= maxNodes || oldest === name) return;
      this.plans.delete(oldest);
      this.nodes -= nodes.length;
    }
  }
}

/** The team's own task comes before the global one of the same name. */
function taskFinder(tasks: readonly PlanTask[]): (node: DocumentNode) => PlanTask | undefined {
  const sorted = [...tasks].sort((one, other) => Number(one.isGlobal) - Number(other.isGlobal));
  return (node) => {
    const name = node.taskRef?.includes("/") ? node.taskRef.slice(node.taskRef.indexOf("/") + 1) : node.taskRef;
    return sorted.find((task) => (task.name === name || task.id === node.taskRef) && task.version === node.taskVersion);
  };
}
