// Task runs as JSON, in the form that the functions of the database take.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunChange } from "../../core/run/run-change.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { nodePlacing } from "../../core/task/place-task.ts";
import { nodeAt, type Plan } from "../../core/workflow/plan.ts";

/** Task runs in the form that the functions of the database take (store/functions/apply-run-changes.sql). */

/** @param atOnce ids of task runs that are for the worker whose report makes them ready (core/worker/slot-shares.ts) */
export function updatedRow(run: RunState, before: TaskState, after: TaskState, atOnce?: ReadonlySet<string>) {
  return {
    team_id: run.teamId,
    run_id: run.id,
    id: after.id,
    seen_attempt: before.attempt,
    seen_status: before.status,
    for_claimer: atOnce?.has(after.id) ? true : undefined,
    ...taskColumns(after, before),
  };
}

/** Row of a task run that does not exist yet. */
export function newTaskRow(plan: Plan, run: Pick<RunState, "teamId" | "id">, task: TaskState) {
  const node = nodeAt(plan, task.node);
  const { task: definition } = node;
  return {
    team_id: run.teamId,
    run_id: run.id,
    id: task.id,
    node: task.node,
    item: task.item ?? undefined,
    name: task.name,
    type: task.type,
    task_id: definition?.id,
    task_version_id: definition?.versionId,
    task_version: definition?.version,
    timeout_minutes: task.timeoutMinutes ?? undefined,
    runs_on: nodePlacing(node).runsOn,
    ...taskColumns(task),
  };
}

/** Null values are not written: nearly half of a row's text would be names of columns without a value. */
function taskColumns(task: TaskState, before?: TaskState) {
  return {
    status: task.status,
    phase: task.phase,
    reason: task.reason ?? undefined,
    status_message: task.statusMessage ?? undefined,
    attempt: task.attempt,
    retries_used: task.retriesUsed,
    losses: task.losses,
    given_back: task.givenBack,
    decision_value: task.decisionValue ?? undefined,
    wait_kind: task.waitKind ?? undefined,
    wait_key: task.waitKey ?? undefined,
    wait_detail: task.waitDetail ?? undefined,
    executor: task.executor ?? undefined,
    worker_id: task.workerId ?? undefined,
    ready_at: timeOf(task.readyAt),
    claimable_at: task.status === "ready" && task.executor !== null ? timeOf(task.readyAt) : undefined,
    started_at: timeOf(task.startedAt),
    ended_at: timeOf(task.endedAt),
    due_at: timeOf(task.dueAt),
    deadline_at: timeOf(task.deadlineAt),
    params: changed(task.params, before?.params),
    results: changed(task.results, before?.results),
    warnings: changed(task.warnings, before?.warnings),
  };
}

/** A missing member keeps the stored value. */
function changed<T extends unknown[]>(value: T | undefined, before: T | undefined): T | undefined {
  if (value === undefined || value === before || (value.length === 0 && before === undefined)) return undefined;
  return value;
}

function timeOf(epochMs: number | null): string | undefined {
  return time(epochMs) ?? undefined;
}

/** The last one that was written: most times in the rows of a run, and in those of its batch, are the same. */
let lastMs = 0;
let lastText = new Date(0).toISOString();

export function time(epochMs: number | null): string | null {
  if (epochMs === null) return null;
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}

/** Longest stretch of encoding, in ms, before other work runs. */
const stretchMs = 10;
/** Characters that are certainly encoded within a stretch. */
const smallLength = 256 * 1024;

/**
 * Rows as a JSON array for one parameter of a statement. A few rows may contain tens of megabytes of parameters: they are encoded row by
 * row, so that other requests and leases don't wait for all of them. The usual few kilobytes are encoded without a pause.
 */
export async function encodeRows(rows: readonly object[]): Promise<string> {
  const texts: string[] = [];
  let startedAt = performance.now();
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    texts.push(text);
    length += text.length;
    if (length > smallLength && performance.now() - startedAt > stretchMs) {
      await nextTurn();
      startedAt = performance.now();
    }
  }
  return `[${texts.join(",")}]`;
}

/**
 * New items of forEach nodes, for the function insert_items. Consecutive items differ only in a few columns, and writing and reading the
 * other columns for each of them costs several times what the rows cost. So these are written once, in the first item of a group.
 */
export async function encodeItems(changes: readonly { plan: Plan; change: RunChange }[]): Promise<string> {
  const groups = await Promise.all(
    changes.flatMap(({ plan, change }) => groupAlike(change.created).map((group) => encode(plan, change, group))),
  );
  return `[${groups.join(",")}]`;
}

async function encode(plan: Plan, { after }: RunChange, group: readonly TaskState[]): Promise<string> {
  const [first] = group;
  if (!first) return "";
  const { id, item, params, results, warnings, ...like } = newTaskRow(plan, after, first);
  const rows = group.map((task) => ({ id: task.id, i: task.item, p: task.params, r: task.results, w: someOf(task.warnings) }));
  return `{"like":${JSON.stringify({ ...like, name: nodeAt(plan, first.node).name })},"rows":${await encodeRows(rows)}}`;
}

function someOf<T>(list: T[] | undefined): T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

function groupAlike(tasks: readonly TaskState[]): TaskState[][] {
  const groups: TaskState[][] = [];
  for (const task of tasks) {
    const last = groups.at(-1);
    if (last?.[0] && areAlike(last[0], task)) last.push(task);
    else groups.push([task]);
  }
  return groups;
}

type Shared = Exclude<keyof TaskState, "id" | "item" | "name" | "params" | "results" | "warnings">;

/** Everything that the items of a group share: the columns of a task run that `encode` does not write for each. */
const shared = Object.keys({
  node: true,
  type: true,
  status: true,
  phase: true,
  reason: true,
  statusMessage: true,
  attempt: true,
  retriesUsed: true,
  losses: true,
  givenBack: true,
  decisionValue: true,
  waitKind: true,
  waitKey: true,
  waitDetail: true,
  executor: true,
  timeoutMinutes: true,
  workerId: true,
  readyAt: true,
  startedAt: true,
  endedAt: true,
  dueAt: true,
  deadlineAt: true,
} satisfies Record<Shared, true>) as Shared[];

function areAlike(one: TaskState, other: TaskState): boolean {
  for (const member of shared) if (one[member] !== other[member]) return false;
  return true;
}
