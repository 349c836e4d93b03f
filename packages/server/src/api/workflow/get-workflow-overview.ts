import { mostGridRuns, mostGridTasks } from "@millrace/contract/run/usual-runs.ts";
import {
  type FailedRun,
  type GridCell,
  type GridRun,
  type WorkflowOverview,
  workflowOverview,
} from "@millrace/contract/workflow/workflow-overview.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { limitsOf } from "../../domain/alert/read-run-expectation.ts";
import { type RunsOfWorkflow, readRunsOfWorkflow } from "../../domain/workflow/read-workflow-overview.ts";
import { allows } from "../../policy/allows.ts";
import { listOpenActions } from "../../store/action/actions.ts";
import type { GridCellRow, GridRunRow } from "../../store/run/workflow-runs.ts";
import { listNextTimes } from "../../store/schedule/schedules.ts";
import { listNewestVersions } from "../../store/workflow/workflow-versions.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import { viewAction } from "../action/action.view.ts";
import { defineEndpoint, type Permission } from "../endpoint.ts";
import { viewInitiator } from "../run/run.view.ts";
import { viewChange, workflowPath } from "./workflow.view.ts";

const mostActions = 10;
const mostVersions = 5;
const mostTimes = 5;

export const getWorkflowOverview = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/overview",
  summary: "Read how a workflow is doing: latest runs by task, failures, open actions",
  description:
    "Takes the same time however many runs there are. A task with `forEach` is one cell, without its items. `runs=0` gives only what is usual, " +
    "and what doesn't belong to runs. Runs need the permission `workflowrun/read`, actions `action/read`, and next times `schedule/read`: " +
    "without it these are empty.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  query: Type.Object({
    runs: Type.Integer({ minimum: 0, maximum: mostGridRuns, default: 30, description: "Number of runs" }),
    firstTask: Type.Integer({ minimum: 0, maximum: 100_000, default: 0, description: "Skips so many tasks of the grid" }),
    tasks: Type.Integer({ minimum: 1, maximum: mostGridTasks, default: mostGridTasks, description: "Number of tasks" }),
  }),
  response: workflowOverview,
  async handle({ db, team, params, query, principal, services }): Promise<WorkflowOverview> {
    const workflow = await findWorkflow(db, team.id, params.workflow);
    if (workflow === undefined) throw new AppError("WORKFLOW_INVALID_REFERENCE", [params.workflow]);
    const may = (permission: Permission) => allows(principal, permission, team.id);
    const wanted = { runs: query.runs, firstTask: query.firstTask, tasks: query.tasks };
    const runs = may("workflowrun/read")
      ? viewRuns(await readRunsOfWorkflow(db, services.runs.plans, { teamId: team.id, workflowId: workflow.id }, wanted))
      : nothing;
    const actions = may("action/read") ? await listOpenActions(db, team.id, workflow.id, mostActions) : [];
    const times = may("schedule/read") ? await listNextTimes(db, team.id, workflow.id, mostTimes) : [];
    const versions = await listNewestVersions(db, team.id, workflow.id, mostVersions);
    return {
      ...runs,
      usual: { ...runs.usual, ...limitsOf(workflow.annotations) },
      actions: actions.map((row) => viewAction(row, team.name)),
      versions: versions.map((version) => ({ ...viewChange(version), version: version.version })),
      nextTimes: times.map(({ scheduleId, name, at }) => ({ scheduleRef: scheduleId, name, date: at.toISOString() })),
    };
  },
});

type RunParts = Pick<WorkflowOverview, "usual" | "tasks" | "totalTasks" | "runs" | "failures">;

const noRange = { p10: null, p50: null, p90: null };
const nothing: RunParts = {
  usual: { runs: 0, succeeded: 0, failed: 0, duration: noRange, queueTime: noRange },
  tasks: [],
  totalTasks: 0,
  runs: [],
  failures: [],
};

function viewRuns({ usual, grid, runs, cells, failures }: RunsOfWorkflow): RunParts {
  const cellsOf = new Map<string, GridCellRow[]>(runs.map(({ id }) => [id, []]));
  for (const cell of cells) cellsOf.get(cell.runId)?.push(cell);
  return {
    usual,
    tasks: grid.tasks,
    totalTasks: grid.total,
    runs: runs.map((run) => viewGridRun(run, cellsOf.get(run.id) ?? [])),
    failures: failures.map(viewFailure),
  };
}

function viewGridRun(row: GridRunRow, cells: readonly GridCellRow[]): GridRun {
  const { startedAt, createdAt } = row;
  const reason = row.statusMessage ?? row.reason;
  return {
    id: row.id,
    creationDate: createdAt.toISOString(),
    ...(startedAt && { startTime: startedAt.toISOString(), queued: Math.max(0, startedAt.getTime() - createdAt.getTime()) }),
    duration: duration(row),
    status: row.status,
    phase: row.phase,
    ...(row.waitKinds.length > 0 && { waitKinds: row.waitKinds }),
    ...(reason && { reason }),
    workflowVersion: row.workflowVersion,
    trigger: row.trigger,
    ...viewInitiator(row.initiatedBy, row.initiatorName),
    tasks: cells.map(viewCell),
  };
}

function viewCell(row: GridCellRow): GridCell {
  const reason = row.status === "succeeded" ? null : (row.statusMessage ?? row.reason);
  return {
    task: row.name,
    id: row.id,
    status: row.status,
    duration: duration(row),
    ...(row.status === "waiting" && row.waitKind && { waitKind: row.waitKind }),
    ...(reason && { reason }),
  };
}

function viewFailure({ run, task }: RunsOfWorkflow["failures"][number]): FailedRun {
  return {
    id: run.id,
    endDate: (run.endedAt ?? run.createdAt).toISOString(),
    status: run.status,
    ...(run.statusMessage && { message: run.statusMessage }),
    ...(task && {
      task: { id: task.id, name: task.name, ...(task.statusMessage && { message: task.statusMessage }), hasLog: task.hasLog },
    }),
  };
}

function duration({ startedAt, endedAt }: { startedAt: Date | null; endedAt: Date | null }): number {
  return startedAt && endedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : 0;
}
