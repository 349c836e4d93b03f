import type { components } from "@millrace/client/schema.generated.ts";
import type { RerunDecision } from "@millrace/contract/run/rerun.ts";
import { isFinal, type Status, type TaskType } from "@millrace/contract/status.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { type TaskTurn, turnsOf, undoneBy } from "../../graph/task-turns.ts";
import { listText } from "../../texts/language.ts";
import { t } from "../../texts/run/run.ts";
import { t as shared } from "../../texts/shared.ts";

type WorkflowTask = components["schemas"]["WorkflowTask"];

/** The progress of the items of a forEach, or of the rounds of a loop. */
export interface ItemCounts {
  all: number;
  over: number;
  running: number;
  failed: number;
  /** Only for loops, whose items are their rounds. */
  maxRounds?: number | undefined;
}

export interface RunNode {
  name: string;
  type: TaskType;
  /** Undefined if the run doesn't have it. */
  task: TaskRun | undefined;
  items: ItemCounts | undefined;
  /** In the plan of a rerun: what will be done with the task. */
  plan: RerunDecision | undefined;
  turn: TaskTurn;
  /** For a compensation: the task that it undoes. */
  undoes: string | undefined;
}

/** By the name of the task. */
export type Planned = ReadonlyMap<string, RerunDecision>;

/** taken: the run followed this edge; refused: its condition was false; open: not decided yet. */
export type EdgeState = "taken" | "refused" | "open";

export interface RunEdge {
  from: string;
  to: string;
  /** The label of the edge; undefined for an unconditional one. */
  label: string | undefined;
  /** Whether the label is one of the two conditions that have a symbol. */
  isSign: boolean;
  state: EdgeState;
  /** Whether it leads from a task to its compensation. */
  isUndo?: true;
}

export interface RunGraph {
  nodes: RunNode[];
  edges: RunEdge[];
}

/** The graph of the workflow version, with the state of the run. The items of a forEach are one node. */
export function runGraph(workflow: readonly WorkflowTask[], tasks: readonly TaskRun[], planned?: Planned): RunGraph {
  const heads = new Map<string, TaskRun>();
  for (const task of tasks) if (task.item === undefined) heads.set(task.name, task);
  const turns = turnsOf(workflow);
  const undone = undoneBy(workflow);
  const nodes = workflow.map(({ name, type }) => {
    const task = heads.get(name);
    const turn = turns.get(name) ?? "flow";
    const undoes = turn === "compensation" ? undone.get(name) : undefined;
    const items = task && itemCounts(task);
    return { name, type: task?.type ?? type ?? "template", task, items, plan: planned?.get(name), turn, undoes };
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
  const undoEdges = [...undone].map(([to, from]): RunEdge => {
    const state = undoState(heads.get(to));
    return { from, to, label: undefined, isSign: false, state, isUndo: true };
  });
  return { nodes, edges: [...edges, ...undoEdges] };
}

function undoState(compensation: TaskRun | undefined): EdgeState {
  if (compensation === undefined || compensation.status === "notstarted") return "open";
  return compensation.status === "skipped" ? "refused" : "taken";
}

/** The progress of a task's items, if it has any. */
export function itemCounts({ items }: Pick<TaskRun, "items">): ItemCounts | undefined {
  if (items === undefined) return undefined;
  const counts = Object.entries(items.statuses) as [Status, number][];
  const sum = (isMeant: (status: Status) => boolean) => counts.reduce((total, [status, count]) => total + (isMeant(status) ? count : 0), 0);
  return { all: items.total, over: sum(isFinal), running: items.statuses.running ?? 0, failed: sum(hasFailed), maxRounds: items.maxRounds };
}

/** The number of task runs in each status, including items. */
export function countStatuses(tasks: readonly TaskRun[]): Map<Status, number> {
  const counts = new Map<Status, number>();
  const add = (status: Status, count: number) => counts.set(status, (counts.get(status) ?? 0) + count);
  for (const { status, item, items } of tasks) {
    if (item !== undefined) continue;
    add(status, 1);
    for (const [each, count] of Object.entries(items?.statuses ?? {})) add(each as Status, count);
  }
  return counts;
}

/** The name of the task to which this item belongs. */
export function parentOf(name: string): string {
  return name.replace(/\[\d+\]$/, "");
}

export function hasFailed(status: Status): boolean {
  return status === "failed" || status === "timedout" || status === "invalid";
}

function labelOf(condition: string | null | undefined, pattern: string | null | undefined, from: TaskRun | undefined): string | undefined {
  if (from?.type === "decision") return pattern ? listText(pattern.split("\n").filter(Boolean), "or") : shared("graphLabels.otherwise");
  if (condition === "success") return t("runGraphModel.success");
  return condition === "failure" ? t("runGraphModel.failure") : undefined;
}

/**
 * As the engine decides it. What leaves a switch was chosen when the task behind it was not skipped; the end is always reached, so
 * there the pattern is examined.
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
