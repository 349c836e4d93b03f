import { insightTimes, runTimes, type TaskTimes } from "@millrace/contract/run/insight-times.ts";
import { timeKinds } from "@millrace/contract/run/time-kinds.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { readTimes, readTimesOfRun } from "../../../domain/run/insights/read-times.ts";
import { readClock } from "../../../store/database/clock.ts";
import type { InsightName } from "../../../store/run/tallies/run-insights.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { date, list, teamPath, toDateRange } from "../../request-parameters.ts";
import { getRunRow, runPath } from "../load-run.ts";

export const getTeamTimes = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/insights/times",
  summary: "Read what the tasks of a team did with their time",
  description:
    "Time of workers and of waits, summed over the runs that ended in a range, by workflow and by task. The range is extended to whole hours. " +
    "Runs are counted some minutes after their end, and stay counted when they are removed.",
  tag: "Insights",
  permission: "insights/read",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    fromDate: date("Runs that ended at this time or later; default 30 days before the end"),
    toDate: date("Runs that ended before this time; default now"),
    workflows: list("Names or IDs of workflows; default all"),
  }),
  response: ref(insightTimes),
  async handle({ db, team, query }) {
    const workflows = query.workflows?.length ? query.workflows : undefined;
    const { from, to } = toDateRange(query);
    const { range, countedUntil, total, names, ...times } = await readTimes(db, { teamId: team.id, from, to, workflows });
    return {
      fromDate: range.from.toISOString(),
      toDate: range.to.toISOString(),
      ...(countedUntil && { countedUntil: countedUntil.toISOString() }),
      total,
      workflows: times.workflows.map((group) => ({
        ...viewName(group.workflowId, names),
        taskRuns: group.taskRuns,
        ...viewTimes(group),
      })),
      tasks: times.tasks.map(({ workflowId, task, taskRuns, worker }) => ({ ...viewName(workflowId, names), task, taskRuns, worker })),
    };
  },
});

export const getRunTimes = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/:runId/times",
  summary: "Read what the tasks of a run did with their time",
  description:
    "Time of workers and of waits, by task; of what is not over yet, until now. Tasks run side by side, so the sum may exceed `elapsed`.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: runPath,
  response: ref(runTimes),
  async handle({ db, team, params, principal }) {
    const run = await getRunRow(db, team.id, params.runId, principal);
    const now = await readClock(db);
    const { total, tasks } = await readTimesOfRun(db, team.id, run.id);
    const end = run.endedAt ?? now;
    return {
      submission: msBetween(run.createdAt, run.startedAt ?? end),
      elapsed: run.startedAt === null ? 0 : msBetween(run.startedAt, end),
      total,
      tasks: tasks.map((row) => ({ task: row.task, taskRuns: row.taskRuns, ...viewTimes(row) })),
    };
  },
});

const msBetween = (from: Date, to: Date) => Math.max(0, to.getTime() - from.getTime());

const viewTimes = (times: TaskTimes) => Object.fromEntries(timeKinds.map((kind) => [kind, times[kind]])) as TaskTimes;

function viewName(workflowRef: string, names: ReadonlyMap<string, InsightName>) {
  const known = names.get(workflowRef);
  return {
    workflowRef,
    ...(known?.name != null && { workflowName: known.name }),
    ...(known?.displayName != null && { workflowDisplayName: known.displayName }),
    isDeleted: known?.isDeleted ?? true,
  };
}
