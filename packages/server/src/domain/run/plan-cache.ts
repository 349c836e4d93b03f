import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { textLengthOf } from "../../core/run/result-sizes.ts";
import { type NestedRef, nestedDocument } from "../../core/workflow/nested-workflow.ts";
import { compilePlan, type DocumentNode, type Plan, type PlanDocument, type PlanTask } from "../../core/workflow/plan.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { NestedPlan, NestedPlans } from "../../core/workflow-test/nested-plan.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findPlanDocument, listPlanTasks } from "../../store/run/plans.ts";

/** Plans by content. A plan never changes, so entries are never outdated; they are only evicted for space. */
export interface PlanKey {
  teamId: string;
  workflowVersionId: string;
  taskVersionIds: readonly string[];
}

/** Estimated size of all plans. */
const maxBytes = 134_217_728;
/** Of a node of a plan, in addition to the texts of its document. */
const nodeBytes = 1500;

interface Kept {
  plan: Plan;
  bytes: number;
}

export class PlanCache {
  readonly #plans = new BoundedCache<Kept>("plans", { maxBytes, bytesOf: ({ bytes }) => bytes });

  async load(db: Queryable, key: PlanKey): Promise<Plan> {
    const name = `${key.workflowVersionId} ${key.taskVersionIds.join(" ")}`;
    const known = this.#plans.get(name);
    if (known) return known.plan;
    const [found, tasks] = await Promise.all([
      findPlanDocument(db, key.teamId, key.workflowVersionId),
      listPlanTasks(db, key.taskVersionIds),
    ]);
    if (!found) throw new Error(`workflow version ${key.workflowVersionId} is gone`);
    const { document, trial, nesting } = found;
    const plan = compilePlan(document, taskFinder(tasks), trial ?? undefined, nesting ?? undefined);
    const characters = [document, trial, tasks].reduce((sum: number, one) => sum + textLengthOf(one), 0);
    this.#plans.set(name, { plan, bytes: plan.nodes.length * nodeBytes + 2 * characters });
    return plan;
  }
}

/** For a document with everything that is nested in it. @param taskVersionIds those that all of it uses */
export async function compileDocument(
  db: Queryable,
  document: WorkflowDocument,
  taskVersionIds: readonly string[],
): Promise<CompiledDocument> {
  return compileLevel(document, taskFinder(await listPlanTasks(db, taskVersionIds)));
}

interface CompiledDocument {
  plan: Plan;
  nested: NestedPlans;
}

/** Where nested workflows are stored does not matter here. */
const nowhere: NestedRef = { workflowId: "", version: 0 };

function compileLevel(document: WorkflowDocument, findTask: ReturnType<typeof taskFinder>): CompiledDocument {
  const nested = new Map(
    document.tasks.flatMap((task): [string, NestedPlan][] => {
      const found = nestedDocument(task);
      if (found === undefined) return [];
      const { plan, nested: inner } = compileLevel(found, findTask);
      return [[task.name, { plan, inner, document: { params: found.params, timeout: found.timeout ?? null } }]];
    }),
  );
  const inner = Object.fromEntries([...nested.keys()].map((name) => [name, nowhere]));
  return { plan: compilePlan(document as PlanDocument, findTask, undefined, { inner }), nested };
}

/** The team's own task takes precedence over the global one of the same name. */
function taskFinder(tasks: readonly PlanTask[]): (node: DocumentNode) => PlanTask | undefined {
  const sorted = [...tasks].sort((one, other) => Number(one.isGlobal) - Number(other.isGlobal));
  return (node) => {
    const name = node.taskRef?.includes("/") ? node.taskRef.slice(node.taskRef.indexOf("/") + 1) : node.taskRef;
    return sorted.find((task) => (task.name === name || task.id === node.taskRef) && task.version === node.taskVersion);
  };
}
