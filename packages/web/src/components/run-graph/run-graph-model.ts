import type { components } from "@millrace/client/schema.generated.ts";
import { isFinal, type Status, type TaskType } from "@millrace/contract/status.ts";
import type { TaskRun } from "../../api/queries/task-catalog.ts";
import { listText } from "../../texts/language.ts";
import { t } from "../../texts/run.ts";

type WorkflowTask = components["schemas"]["WorkflowTask"];

/** How far the items of a forEach are. */
export interface ItemCounts {
  all: number;
  over: number;
  running: number;
  failed: number;
}

export interface RunNode {
  name: string;
  type: TaskType;
  /** Undefined when the run does not have it. */
  task: TaskRun | undefined;
  items: ItemCounts | undefined;
}

/** taken: the run went this way; refused: its condition did not hold; open: that is not known yet. */
export type EdgeState = "taken" | "refused" | "open";

export interface RunEdge {
  from: string;
  to: string;
  /** Said on the edge; undefined for one that always holds. */
  label: string | undefined;
  /** The label is one of the two conditions that have a sign. */
  isSign: boolean;
  state: EdgeState;
}

export interface RunGraph {
  nodes: RunNode[];
  edges: RunEdge[];
}

/** The graph of the workflow's version with what the run made of it. The items of a forEach are one node. */
export function runGraph(workflow: readonly WorkflowTask[], tasks: readonly TaskRun[]): RunGraph {
  const heads = new Map<string, TaskRun>();
  for (const task of tasks) if (task.item === undefined) heads.set(task.name, task);
  const items = countItems(tasks);
  const nodes = workflow.map(({ name, type }) => {
    const task = heads.get(name);
    return { name, type: task?.type ?? type ?? "template", task, items: items.get(name) };
  });
  const edges = workflow.flatMap((to) =>
    (to.dependencies ?? []).map((dependency) => ({
      from: dependency.taskRef,
      to: to.name,
      label: labelOf(dependency.executionCondition, dependency.decisionCondition, heads.get(dependency.taskRef)),
      isSign: heads.get(dependency.taskRef)?.type !== "decision",
      state: stateOf(dependency.executionCondition, dependency.decisionCondition, heads.get(dependency.taskRef), heads.get(to.name)),
    })),
  );
  return { nodes, edges };
}

/** By the name of the task whose items they are: `each[3]` is one of `each`. */
export function countItems(tasks: readonly TaskRun[]): Map<string, ItemCounts> {
  const counts = new Map<string, ItemCounts>();
  for (const { name, item, status } of tasks) {
    if (item === undefined) continue;
    const parent = parentOf(name);
    const count = counts.get(parent) ?? { all: 0, over: 0, running: 0, failed: 0 };
    counts.set(parent, count);
    count.all += 1;
    if (isFinal(status)) count.over += 1;
    if (status === "running") count.running += 1;
    if (hasFailed(status)) count.failed += 1;
  }
  return counts;
}

/** Name of the task of which this is an item. */
export function parentOf(name: string): string {
  return name.replace(/\[\d+\]$/, "");
}

export function hasFailed(status: Status): boolean {
  return status === "failed" || status === "timedout" || status === "invalid";
}

function labelOf(condition: string | null | undefined, pattern: string | null | undefined, from: TaskRun | undefined): string | undefined {
  if (from?.type === "decision") return pattern ? listText(pattern.split("\n").filter(Boolean), "or") : t("runGraphModel.otherwise");
  if (condition === "success") return t("runGraphModel.success");
  return condition === "failure" ? t("runGraphModel.failure") : undefined;
}

/**
 * As the engine decides it. What leaves a switch was chosen when the task behind it was not skipped; the end is always reached, so
 * there the pattern is looked at.
 */
function stateOf(
  condition: string | null | undefined,
  pattern: string | null | undefined,
  from: TaskRun | undefined,
  to: TaskRun | undefined,
): EdgeState {
  if (from === undefined || to === undefined || !isFinal(from.status)) return "open";
  if (from.status === "skipped" || from.status === "cancelled") return "refused";
  if (from.type === "decision") {
    if (to.type === "end") return isPlainMatch(pattern, from.decisionValue) ? "taken" : "refused";
    if (to.status === "notstarted") return "open";
    return to.status === "skipped" ? "refused" : "taken";
  }
  if (condition === "success") return from.status === "succeeded" ? "taken" : "refused";
  if (condition === "failure") return hasFailed(from.status) ? "taken" : "refused";
  return "taken";
}

function isPlainMatch(pattern: string | null | undefined, value: string | undefined): boolean {
  return !pattern || pattern.split("\n").includes(value ?? "");
}
