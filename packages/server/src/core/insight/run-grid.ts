import type { TaskType } from "@millrace/contract/status.ts";
import type { Plan } from "../workflow/plan.ts";

/** The rows of a grid of runs by task: the tasks of the newest run in its order, then those that only older runs have. */
export interface GridRows {
  tasks: { name: string; type: TaskType }[];
  total: number;
}

/** @param plans of the runs, the newest first */
export function gridRows(plans: readonly Plan[], { first, most }: { first: number; most: number }): GridRows {
  const byName = new Map<string, TaskType>();
  for (const plan of new Set(plans)) {
    for (const { name, type } of plan.nodes) if (type !== "start" && type !== "end" && !byName.has(name)) byName.set(name, type);
  }
  const all = [...byName].map(([name, type]) => ({ name, type }));
  return { tasks: all.slice(first, first + most), total: all.length };
}

/** The indexes of these tasks in a plan; tasks that it does not have are left out. */
export function nodesOf(plan: Plan, tasks: GridRows["tasks"]): number[] {
  return tasks.flatMap(({ name }) => plan.byName.get(name) ?? []);
}
