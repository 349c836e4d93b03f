import type { RunChange } from "../../core/run/run-change.ts";
import type { TaskState } from "../../core/run/run-state.ts";
import { nodeAt, type Plan } from "../../core/workflow/plan.ts";
import { encodeRows } from "../database/encode-rows.ts";
import { newTaskRow } from "./task-rows.ts";

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
