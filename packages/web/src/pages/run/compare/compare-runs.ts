import { isExecutorType, isFinal } from "@millrace/contract/status.ts";
import type { Run } from "../../../api/queries/run/runs.ts";
import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";

/** How a line differs: it exists in only one of the runs, or differs between them. */
export type RunChange = "same" | "changed" | "onlyThis" | "onlyOther";

/** A value of either run. */
export interface ComparedValue {
  name: string;
  change: RunChange;
  thisText: string | undefined;
  otherText: string | undefined;
}

/** A task of either run. */
export interface ComparedTask {
  name: string;
  change: RunChange;
  thisTask: TaskRun | undefined;
  otherTask: TaskRun | undefined;
  /** How much longer it took in this run; undefined unless it ended in both. */
  slowerMs: number | undefined;
}

type Named = Pick<Run["params"][number], "name" | "value" | "hiddenValue">;

/** Compares parameters or results by name: those of this run first, in its order. @param hidden the text shown for a hidden value */
export function compareValues(mine: readonly Named[], others: readonly Named[], hidden: string): ComparedValue[] {
  const theirs = new Map(others.map((one) => [one.name, textOf(one, hidden)]));
  const ours = new Map(mine.map((one) => [one.name, textOf(one, hidden)]));
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((name) => {
    const [thisText, otherText] = [ours.get(name), theirs.get(name)];
    return { name, thisText, otherText, change: changeOf(ours.has(name), theirs.has(name), thisText === otherText) };
  });
}

/** Text unchanged, everything else as formatted JSON. */
function textOf({ value, hiddenValue }: Named, hidden: string): string {
  if (hiddenValue) return hidden;
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

function changeOf(isHere: boolean, isThere: boolean, isSame: boolean): RunChange {
  if (!isHere) return "onlyOther";
  if (!isThere) return "onlyThis";
  return isSame ? "same" : "changed";
}

/** A task counts as changed if its duration differs by at least both this factor and this many milliseconds. */
const noticeable = { factor: 1.5, ms: 1_000 };

/**
 * The tasks of both runs, in the order in which this run started them. The items of a forEach aren't compared individually. A task counts
 * as changed if it ended differently, took another path, or took noticeably longer or shorter.
 */
export function compareTasks(mine: readonly TaskRun[], others: readonly TaskRun[]): ComparedTask[] {
  const [ours, theirs] = [headsOf(mine), headsOf(others)];
  const order = (name: string) => ours.get(name)?.startTime ?? theirs.get(name)?.startTime ?? "9";
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].sort((a, b) => order(a).localeCompare(order(b)));
  return names.map((name) => {
    const [thisTask, otherTask] = [ours.get(name), theirs.get(name)];
    const slowerMs = slowerBy(thisTask, otherTask);
    const isSame =
      thisTask?.status === otherTask?.status && decision(thisTask) === decision(otherTask) && !isNoticeable(slowerMs, otherTask);
    return { name, thisTask, otherTask, slowerMs, change: changeOf(thisTask !== undefined, otherTask !== undefined, isSame) };
  });
}

/** What the logs are compared of: tasks that ran in both, those first that went otherwise, and of these the one that failed now. */
export function withTwoLogs(tasks: readonly ComparedTask[]): (ComparedTask & { thisTask: TaskRun; otherTask: TaskRun })[] {
  const ran = tasks.flatMap((one) => {
    const { thisTask, otherTask } = one;
    return thisTask && otherTask && wroteLog(thisTask) && wroteLog(otherTask) ? [{ ...one, thisTask, otherTask }] : [];
  });
  const rank = ({ change, thisTask }: (typeof ran)[number]) => (change === "same" ? 2 : thisTask.status === "failed" ? 0 : 1);
  return ran.sort((a, b) => rank(a) - rank(b));
}

/** Others are done by the engine itself, and write no log. */
const wroteLog = ({ type, startTime }: TaskRun) => startTime !== undefined && isExecutorType(type);

const headsOf = (tasks: readonly TaskRun[]) => new Map(tasks.filter(({ item }) => item === undefined).map((task) => [task.name, task]));
const decision = (task: TaskRun | undefined) => JSON.stringify(task?.decisionValue);

function slowerBy(mine: TaskRun | undefined, other: TaskRun | undefined): number | undefined {
  const hasRun = (task: TaskRun | undefined) => task?.startTime !== undefined && isFinal(task.status);
  return mine && other && hasRun(mine) && hasRun(other) ? mine.duration - other.duration : undefined;
}

function isNoticeable(slowerMs: number | undefined, other: TaskRun | undefined): boolean {
  if (slowerMs === undefined || other === undefined || Math.abs(slowerMs) < noticeable.ms) return false;
  const [shorter, longer] = [other.duration, other.duration + slowerMs].sort((a, b) => a - b) as [number, number];
  return longer > shorter * noticeable.factor;
}

/** The tasks at which the paths of the runs diverge. */
export function partedAt(tasks: readonly ComparedTask[]): ComparedTask[] {
  const went = (task: TaskRun | undefined) => task !== undefined && task.status !== "skipped" && task.startTime !== undefined;
  return tasks.filter(({ thisTask, otherTask }) => went(thisTask) !== went(otherTask));
}
