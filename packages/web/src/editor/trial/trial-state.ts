import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import type { TaskPin, TryRequest } from "../../api/queries/workflow/trials.ts";
import { type Draft, type DraftTask, isMarker } from "../draft/draft.ts";
import { upstreamOf } from "../draft/graph-edits.ts";

/** The scope of a trial: one task, all tasks up to one, or everything. */
export type TrialScope = { only: string } | { upTo: string } | Record<string, never>;

/** A trial started on this page, with the draft at that time. */
export interface StartedTrial {
  id: string;
  scope: TrialScope;
  stamps: ReadonlyMap<string, string>;
  /** Whether it ran unsaved changes. */
  isOfDraft: boolean;
}

/** The output of a task in its last trial. */
export interface StepOutput {
  run: string;
  task: TaskRun;
  /** Whether the task, or one before it, has been changed since. */
  isStale: boolean;
}

const stamps = new WeakMap<DraftTask, string>();

/** The same for tasks that do the same; positions on the canvas are ignored. */
function stampOf(task: DraftTask): string {
  const known = stamps.get(task);
  if (known !== undefined) return known;
  const { annotations: _annotations, ...rest } = task;
  const stamp = JSON.stringify(rest);
  stamps.set(task, stamp);
  return stamp;
}

export function stampsOf(draft: Draft): Map<string, string> {
  return new Map(draft.tasks.map((task) => [task.name, stampOf(task)]));
}

/**
 * The last output of each task. From a running trial, only finished tasks are used.
 * @param trials newest first
 */
export function outputsOf(draft: Draft, trials: readonly { started: StartedTrial; tasks: readonly TaskRun[] }[]): Map<string, StepOutput> {
  const outputs = new Map<string, StepOutput>();
  for (const { started, tasks } of trials) {
    const changed = changedSince(draft, started.stamps);
    for (const task of tasks) {
      const isLeftOut = outputs.has(task.name) || task.pinned === true || task.item !== undefined || isMarker(task);
      if (!isLeftOut && isOver(task)) outputs.set(task.name, { run: started.id, task, isStale: changed.has(task.name) });
    }
  }
  return outputs;
}

function isOver({ status }: Pick<TaskRun, "status">): boolean {
  return ["succeeded", "failed", "timedout", "invalid"].includes(status);
}

/** The tasks that have changed, and all tasks after them. */
function changedSince(draft: Draft, before: ReadonlyMap<string, string>): Set<string> {
  const followers = new Map<string, string[]>();
  for (const { name, dependencies } of draft.tasks)
    for (const { taskRef } of dependencies ?? []) followers.set(taskRef, [...(followers.get(taskRef) ?? []), name]);
  const open = draft.tasks.filter((task) => before.get(task.name) !== stampOf(task)).map(({ name }) => name);
  const changed = new Set(open);
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const follower of followers.get(next) ?? []) {
      if (!changed.has(follower)) open.push(follower);
      changed.add(follower);
    }
  return changed;
}

/** The output of a task as a pin. */
export function pinOf({ task }: Pick<StepOutput, "task">): TaskPin {
  const results = (task.results ?? []).map(({ name, value }) => ({ name, value }));
  const status = task.status === "failed" || task.status === "timedout" ? task.status : "succeeded";
  return { status, results, ...(task.decisionValue !== undefined && { decision: task.decisionValue }) };
}

interface Values {
  pins: ReadonlyMap<string, TaskPin>;
  outputs: ReadonlyMap<string, StepOutput>;
}

/** The values assumed for the tasks before that one: pinned output, otherwise the output of their last trial. Start and end have none. */
export function valuesBefore(draft: Draft, name: string, { pins, outputs }: Values): Record<string, TaskPin> {
  const before = upstreamOf(draft, name);
  const given = [...outputs].filter(([task]) => !pins.has(task)).map(([task, output]) => [task, pinOf(output)] as const);
  return Object.fromEntries([...pins, ...given].filter(([task]) => before.has(task)));
}

/** The pins to send for a trial of this scope: for a single task, the values of all tasks before it; otherwise only what was pinned. */
export function pinsFor(draft: Draft, scope: TrialScope, values: Values): NonNullable<TryRequest["pinned"]> {
  if ("only" in scope) return valuesBefore(draft, scope.only, values);
  const names = new Set(draft.tasks.filter((task) => !isMarker(task)).map(({ name }) => name));
  const last = "upTo" in scope ? scope.upTo : undefined;
  return Object.fromEntries([...values.pins].filter(([task]) => names.has(task) && task !== last));
}

/**
 * The marks of each task on the canvas: the status of its last trial, whether that is outdated, and whether its output is pinned. Of a
 * pinned one, the pin is what counts.
 * @param stale the pinned tasks that have been changed since
 */
export function trialMarks({ outputs, pins }: Values, stale: ReadonlySet<string>): Map<string, string> {
  const names = new Set([...outputs.keys(), ...pins.keys()]);
  return new Map(
    [...names].map((name) => {
      const output = outputs.get(name);
      const isPinned = pins.has(name);
      const isStale = isPinned ? stale.has(name) : output?.isStale === true;
      return [name, [output?.task.status ?? "", isStale ? "stale" : "", isPinned ? "pinned" : ""].join("|")];
    }),
  );
}
