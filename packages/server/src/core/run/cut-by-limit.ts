import { isExecutorType, type TaskType } from "@millrace/contract/status.ts";
import type { Finding } from "../parameter/check-references.ts";

/** Warns about times that an author sets but that a shorter limit cuts; each message names the limit that applies instead. */

export interface TimeLimits {
  /** The limit of one attempt on an executor: the setting task/default.timeout. */
  maxTaskTimeoutMinutes: number;
  /** The limit of the active time of a run: the quota maxWorkflowRunDuration. */
  maxActiveMinutes: number;
}

export interface TimedDocument {
  /** Minutes of wall time; 0, null and absent mean none. */
  timeout?: number | null;
  tasks: readonly {
    name: string;
    type?: TaskType | undefined;
    timeout?: number | null;
    params: readonly { name: string; value?: unknown }[];
  }[];
}

/** @param paths JSON pointer of each task of the document, by task name; the service added the tasks that have none */
export function cutByLimit({ timeout, tasks }: TimedDocument, limits: TimeLimits, paths: ReadonlyMap<string, string>): Finding[] {
  const ofWorkflow = whyRunIsCut(timeout, limits.maxActiveMinutes);
  const ofTasks = tasks.flatMap((task) => {
    const path = paths.get(task.name);
    if (path === undefined || task.type === undefined) return [];
    return cutTimes(task as TimedTask, timeout, limits).map(({ member, message }) => ({ path: `${path}/${member}`, message }));
  });
  return [...(ofWorkflow === undefined ? [] : [{ path: "/timeout", message: ofWorkflow }]), ...ofTasks];
}

/** Why the timeout of a run, which is wall time, may never be reached; undefined: no limit ends the run earlier. */
export function whyRunIsCut(timeout: number | null | undefined, maxActiveMinutes: number): string | undefined {
  if (!timeout || timeout <= maxActiveMinutes) return undefined;
  return `is ${timeout} minutes, but the quota maxWorkflowRunDuration of the team ends a run after ${maxActiveMinutes} active minutes; time in which it only waits does not count`;
}

export interface TimedTask {
  type: TaskType;
  timeout?: number | null;
  params: readonly { name: string; value?: unknown }[];
}

/**
 * Those times of one task that a shorter limit cuts.
 * @param timeout of its workflow or run
 */
export function cutTimes({ type, params, ...task }: TimedTask, timeout: number | null | undefined, limits: TimeLimits) {
  if (!task.timeout && !Object.hasOwn(waits, type)) return [];
  const isOnExecutor = isExecutorType(type);
  const own = task.timeout || Number.POSITIVE_INFINITY;
  const ofRun = timeout || Number.POSITIVE_INFINITY;
  const minutesSet = [{ member: "timeout", name: "timeout", minutes: task.timeout || 0, own: ofRun }, ...waitsOf(type, params, own)];
  return minutesSet.flatMap(({ member, name, minutes, own: least }) => {
    const message = whyCut(isOnExecutor, minutes, { ofTask: least, ofRun }, limits);
    return message === undefined ? [] : [{ member, name, message }];
  });
}

function whyCut(
  isOnExecutor: boolean,
  minutes: number,
  own: { ofTask: number; ofRun: number },
  { maxTaskTimeoutMinutes, maxActiveMinutes }: TimeLimits,
): string | undefined {
  const asks = `asks for ${minutes} minutes, but`;
  if (minutes > own.ofTask && own.ofTask < own.ofRun) return `${asks} the timeout of the task ends it after ${own.ofTask} minutes`;
  if (minutes > own.ofRun) return `${asks} the timeout of the workflow ends the run after ${own.ofRun} minutes`;
  if (!isOnExecutor) return undefined;
  if (minutes > maxTaskTimeoutMinutes && maxTaskTimeoutMinutes <= maxActiveMinutes)
    return `${asks} the setting task/default.timeout ends each attempt after ${maxTaskTimeoutMinutes} minutes`;
  if (minutes > maxActiveMinutes)
    return `${asks} the quota maxWorkflowRunDuration of the team ends the run after ${maxActiveMinutes} active minutes`;
  return undefined;
}

/**
 * The waiting times that a task's parameters set, where they are known.
 * @param own its timeout in minutes
 */
function waitsOf(type: TaskType, params: TimedTask["params"], own: number) {
  return params.flatMap(({ name, value }, index) => {
    const perMinute = Object.hasOwn(waits, type) ? waits[type]?.[name] : undefined;
    const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (perMinute === undefined || typeof amount !== "number" || !Number.isFinite(amount)) return [];
    return [{ member: `params/${index}/value`, name, minutes: Math.ceil(amount / perMinute), own }];
  });
}

/** Parameters that say how long a task waits, each with how many of its units make a minute. */
const waits: Partial<Record<TaskType, Readonly<Record<string, number>>>> = {
  sleep: { duration: 60_000 },
  approval: { deadline: 1 },
  manual: { deadline: 1 },
  acquirelock: { timeout: 60 },
};
