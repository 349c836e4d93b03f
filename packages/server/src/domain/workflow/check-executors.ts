import { isExecutorType } from "@millrace/contract/status.ts";
import { findReferences } from "../../core/parameter/references.ts";
import { declaredValues } from "../../core/parameter/secret-params.ts";
import { OversizedParameters } from "../../core/run/result-sizes.ts";
import { externalTaskOf } from "../../core/task/external-task.ts";
import { meets, type Placement, placeTask, type RunNeed } from "../../core/task/place-task.ts";
import { type JobStep, resolveImages } from "../../core/task/tekton/job-steps.ts";
import { executorKinds } from "../../core/task/tekton/runnable.ts";
import { compilePlan, type DocumentNode, type PlanNode } from "../../core/workflow/plan.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listPlanTasks } from "../../store/run/plans.ts";
import { listExecutorsAtWork } from "../../store/worker/workers.ts";
import { refuseFaults } from "./refuse-faults.ts";
import type { ResolvedTasks } from "./resolve-tasks.ts";
import type { CheckContext, CheckMode } from "./save-context.ts";

/**
 * Whether the tasks of a document can run. A task that no kind of executor can ever run is refused. One that no current worker can run gets
 * a warning. If no worker runs at all there are no warnings, since they would apply to every task; health shows that.
 *
 * @param paths JSON pointer of each task of the document, by its name
 */
export async function checkExecutors(
  db: Queryable,
  { warnings, hasDefaultImage }: Pick<CheckContext, "warnings" | "hasDefaultImage">,
  { document, used }: ResolvedTasks,
  paths: ReadonlyMap<string, string>,
  mode: CheckMode,
): Promise<void> {
  const tasks = await listPlanTasks(db, [...new Set(used.map(({ taskVersionId }) => taskVersionId))]);
  const byName = new Map(tasks.map((task) => [`${task.name} ${task.version}`, task]));
  const nodes = document.tasks.map((task) => ({ ...task, dependencies: [] }) as DocumentNode);
  const markers = (["start", "end"] as const).map((type): DocumentNode => ({ name: type, type }));
  const plan = compilePlan({ tasks: [...nodes, ...markers] }, ({ taskRef, taskVersion }) => byName.get(`${taskRef} ${taskVersion}`));
  const atWork = await listExecutorsAtWork(db);
  for (const node of plan.nodes.slice(0, nodes.length)) {
    const path = paths.get(node.name);
    const placement = path === undefined || !isExecutorType(node.type) || !node.task ? undefined : place(node, hasDefaultImage);
    if (path === undefined || placement === undefined) continue;
    const { need, refusal, isByParameters } = placement;
    // The definition alone can't run; parameters may still change that, and so may the instance's image.
    if (refusal?.reason === "InvalidTask" && !isByParameters) refuseFaults([{ path: `${path}/taskRef`, message: refusal.message }], mode);
    else if (refusal) warnings.push({ code: "NO_EXECUTOR", path, message: refusal.message });
    // A missing external worker proves nothing yet: it is often started after its workflow is saved.
    else if (externalTaskOf(need) !== undefined) continue;
    else if (atWork.length > 0 && !atWork.some((kind) => meets(kind, need)))
      warnings.push({ code: "NO_EXECUTOR", path, message: `no worker can run it now: it needs ${executorOf(need)}` });
  }
}

/** Undefined if only the run knows its images: they come from parameters with references. */
function place(node: PlanNode, hasDefaultImage: boolean): (Placement & { isByParameters: boolean }) | undefined {
  let isKnown = true;
  let isByParameters = false;
  const placement = placeTask(node, hasDefaultImage, () => {
    const steps = writtenSteps(node);
    isKnown = steps !== undefined;
    isByParameters = true;
    return steps ?? [];
  });
  return isKnown ? { ...placement, isByParameters } : undefined;
}

/**
 * Its steps with its parameters inserted; undefined if one of these has a reference, or if only a run can find out that they are too large.
 */
function writtenSteps(node: PlanNode): readonly JobStep[] | undefined {
  const values = [...declaredValues(node).map(({ name, default: value }) => ({ name, value })), ...node.params];
  if (node.task === undefined || findReferences(values).length > 0) return undefined;
  try {
    return resolveImages(node.task, { task: Object.fromEntries(values.map(({ name, value }) => [name, value])) });
  } catch (error) {
    if (!(error instanceof OversizedParameters)) throw error;
    return undefined;
  }
}

function executorOf(need: RunNeed): string {
  const kinds = executorKinds.filter((kind) => meets(kind, need)).map((kind) => `"${kind}"`);
  return `the executor ${kinds.join(" or ")}`;
}
