import type { PipelineTask } from "@millrace/contract/workflow/pipeline-definition.ts";
import type { WorkflowTaskDependency } from "@millrace/contract/workflow/workflow.ts";
import { dependencyOrder, findCycle } from "../checks/check-graph-cycle.ts";
import { tasksReferredTo } from "./pipeline-references.ts";
import type { PipelineReport } from "./pipeline-report.ts";
import { unlessFailed } from "./pipeline-when.ts";

/** What each task depends on, before its own `when`. */
export interface PipelineEdges {
  /** By the name of the task. */
  entries: ReadonlyMap<string, WorkflowTaskDependency[]>;
  /** Tasks with a `when` that others only run after (`runAfter`): those need to know whether it failed. */
  watched: ReadonlySet<string>;
}

/**
 * A `when` after a `when` repeats all dependencies of the first one, so a chain of them grows with the square of its length, in each save,
 * read and run. This limit corresponds to about the largest workflow that can be sent as JSON.
 */
const maxEdges = 10_000;

/** Undefined if the order of the tasks is invalid; then the report says why. */
export function readEdges(
  tasks: readonly PipelineTask[],
  last: readonly PipelineTask[],
  path: string,
  report: PipelineReport,
): PipelineEdges | undefined {
  const before = report.refusals.length;
  const graph: Graph = { byName: new Map(tasks.map((task) => [task.name, task])), entries: new Map(), watched: new Set() };
  checkNames(graph, tasks, `${path}/tasks`, report);
  checkNames(graph, last, `${path}/finally`, report);
  if (report.refusals.length > before) return undefined;
  const indexes = new Map(tasks.map(({ name }, index) => [name, index]));
  const upstream = tasks.map((task) => upstreamOf(task).map((name) => indexes.get(name) as number));
  const cycle = findCycle(upstream);
  if (cycle) return refused(report, `${path}/tasks`, `depend on each other in a cycle: ${namesOf(tasks, cycle)}`);
  let count = 0;
  for (const index of dependencyOrder(upstream)) {
    count += addEntry(graph, tasks[index]!);
    if (count > maxEdges) return refused(report, `${path}/tasks`, `need more than ${maxEdges} dependencies; use fewer tasks with \`when\``);
  }
  addFinally(graph, tasks, last);
  return graph;
}

interface Graph {
  byName: ReadonlyMap<string, PipelineTask>;
  entries: Map<string, WorkflowTaskDependency[]>;
  watched: Set<string>;
}

/** A reference to a result orders tasks like `runAfter`, and also requires that the task succeeded. */
function resultsNeededBy({ params, when, matrix }: PipelineTask): string[] {
  return tasksReferredTo([params, when?.map(({ input }) => input), matrix]);
}

function upstreamOf(task: PipelineTask): string[] {
  return [...new Set([...(task.runAfter ?? []), ...resultsNeededBy(task)])];
}

function checkNames({ byName }: Graph, tasks: readonly PipelineTask[], path: string, report: PipelineReport): void {
  for (const [index, task] of tasks.entries()) {
    const isFinally = path.endsWith("/finally");
    if (isFinally && task.runAfter?.length)
      report.refuse(`${path}/${index}/runAfter`, "is not possible in finally; all of these tasks run last");
    for (const name of task.runAfter ?? [])
      if (!isFinally && !byName.has(name))
        report.refuse(`${path}/${index}/runAfter`, `names ${short(name)}, which is not one of the tasks`);
    for (const name of resultsNeededBy(task))
      if (!byName.has(name)) report.refuse(`${path}/${index}`, `refers to a result of ${short(name)}, which is not one of the tasks`);
  }
}

/** @returns the number of dependencies */
function addEntry(graph: Graph, task: PipelineTask): number {
  const entry = new Map<string, WorkflowTaskDependency>();
  const needed = new Set(resultsNeededBy(task));
  for (const name of upstreamOf(task)) {
    if (needed.has(name)) add(entry, { taskRef: name, executionCondition: "success" });
    else for (const dependency of afterTask(graph, name)) add(entry, dependency);
  }
  graph.entries.set(task.name, [...entry.values()]);
  return entry.size;
}

/** Running after a task that its `when` may skip, or whose failure is ignored, can't be expressed by a single link (pipeline-when.ts). */
function afterTask({ byName, entries, watched }: Graph, name: string): WorkflowTaskDependency[] {
  const { when, onError } = byName.get(name) as PipelineTask;
  const isGuarded = (when ?? []).length > 0;
  const isIgnored = onError === "continue";
  if (!isGuarded && !isIgnored) return [{ taskRef: name, executionCondition: "success" }];
  if (isGuarded && !isIgnored) watched.add(name);
  return [
    { taskRef: name, executionCondition: "always" },
    ...(isGuarded ? [fromStart] : []),
    ...(isGuarded && !isIgnored ? [unlessFailed(name)] : []),
    ...(entries.get(name) ?? []),
  ];
}

const fromStart = { taskRef: "start", executionCondition: "always" } as const;

/** Runs after all others, however these ended; a task whose results it needs must have succeeded. */
function addFinally({ entries }: Graph, tasks: readonly PipelineTask[], last: readonly PipelineTask[]): void {
  const followed = new Set(tasks.flatMap(upstreamOf));
  const leaves = tasks.filter(({ name }) => !followed.has(name));
  for (const task of last) {
    const entry = new Map<string, WorkflowTaskDependency>([["start", fromStart]]);
    for (const { name } of leaves) add(entry, { taskRef: name, executionCondition: "always" });
    for (const name of resultsNeededBy(task)) add(entry, { taskRef: name, executionCondition: "success" });
    entries.set(task.name, [...entry.values()]);
  }
}

/** If there are two links from one task, the stricter one is kept: `success` implies `always`. */
function add(entry: Map<string, WorkflowTaskDependency>, dependency: WorkflowTaskDependency): void {
  if (entry.get(dependency.taskRef)?.executionCondition !== "success") entry.set(dependency.taskRef, dependency);
}

function refused(report: PipelineReport, path: string, message: string): undefined {
  report.refuse(path, message);
  return undefined;
}

function namesOf(tasks: readonly PipelineTask[], cycle: readonly number[]): string {
  const names = cycle.map((index) => tasks[index]?.name ?? "");
  const shown = names.length > 12 ? [...names.slice(0, 6), `… ${names.length - 12} more …`, ...names.slice(-6)] : names;
  return [...shown, names[0]].join(" -> ");
}

function short(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
