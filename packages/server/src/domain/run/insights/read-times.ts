import { addTimes, type HourRange, hourRange, noTimes, type TaskTimes } from "../../../core/insight/task-times.ts";
import { readClock } from "../../../store/database/clock.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { findInsightWorkflows, type InsightName, listInsightWorkflowNames } from "../../../store/run/tallies/run-insights.ts";
import { findTimesEnd, listTimes, listTimesOfRun, type TaskTimesRow } from "../../../store/run/tallies/time-tallies.ts";

const listed = 20;
const listedOfRun = 100;
const defaultRangeMs = 30 * 86_400_000;

export interface TimesOfGroup extends TaskTimes {
  workflowId: string;
  taskRuns: number;
}

export interface Times {
  range: HourRange;
  countedUntil: Date | undefined;
  total: TaskTimes;
  workflows: TimesOfGroup[];
  tasks: (TimesOfGroup & { task: string })[];
  names: ReadonlyMap<string, InsightName>;
}

/** How the tasks of runs that ended in a range spent their time. Reads the sums of days and hours. */
export async function readTimes(
  db: Queryable,
  request: { teamId: string; from: Date | undefined; to: Date | undefined; workflows: readonly string[] | undefined },
): Promise<Times> {
  const { teamId } = request;
  const to = request.to ?? (await readClock(db));
  const from = request.from ?? new Date(Math.max(0, to.getTime() - defaultRangeMs));
  const range = hourRange(from, to);
  const workflowIds = await findInsightWorkflows(db, { teamId, from, to, workflows: request.workflows, statuses: undefined });
  const rows = await listTimes(db, teamId, range, workflowIds);
  const total = noTimes();
  const byWorkflow = new Map<string, TimesOfGroup>();
  for (const row of rows) {
    addTimes(total, row);
    const group = byWorkflow.get(row.workflowId) ?? { workflowId: row.workflowId, taskRuns: 0, ...noTimes() };
    addTimes(group, row);
    group.taskRuns += row.taskRuns;
    byWorkflow.set(row.workflowId, group);
  }
  const workflows = [...byWorkflow.values()].sort(byCost).slice(0, listed);
  const tasks = rows
    .filter(({ worker }) => worker > 0)
    .sort(byCost)
    .slice(0, listed);
  const shown = [...new Set([...workflows, ...tasks].map(({ workflowId }) => workflowId))];
  const names = await listInsightWorkflowNames(
    db,
    shown.map((workflowId) => ({ teamId, workflowId })),
  );
  return { range, countedUntil: await findTimesEnd(db, teamId), total, workflows, tasks, names };
}

/** Of one run, by task: the longest ones come first. */
export async function readTimesOfRun(db: Queryable, teamId: string, runId: string): Promise<{ total: TaskTimes; tasks: TaskTimesRow[] }> {
  const rows = await listTimesOfRun(db, teamId, runId);
  const total = noTimes();
  for (const row of rows) addTimes(total, row);
  return { total, tasks: rows.sort((one, other) => sumOf(other) - sumOf(one) || (one.task < other.task ? -1 : 1)).slice(0, listedOfRun) };
}

function byCost(one: TaskTimes & { workflowId: string }, other: TaskTimes & { workflowId: string }): number {
  return other.worker - one.worker || sumOf(other) - sumOf(one) || (one.workflowId < other.workflowId ? -1 : 1);
}

function sumOf(times: TaskTimes): number {
  const { worker, queue, quota, start, retry, lock, person, event, sleep, run } = times;
  return worker + queue + quota + start + retry + lock + person + event + sleep + run;
}
