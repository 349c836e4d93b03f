import { taskRun, taskRunPage } from "@millrace/contract/run/task-run.ts";
import { ref, stringEnum } from "@millrace/contract/schema.ts";
import { statuses, taskTypes } from "@millrace/contract/status.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { missingHistory } from "../../domain/history/removed-history.ts";
import { findTaskOrigin } from "../../store/run/reruns.ts";
import { findRun, listRuns } from "../../store/run/runs.ts";
import { findTaskRun, listTaskRuns, queryTaskRuns as query } from "../../store/run/task-runs.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, list, listOf, order, search, teamParameter, teamPath } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewTaskRuns } from "./load-run.ts";
import { Siblings } from "./wait.view.ts";

export const queryTaskRuns = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/taskrun/query",
  summary: "Find task runs",
  description: "A page of the task runs of the team, or of some of its runs, by date of creation or in the order of the tasks.",
  tag: "Task runs",
  permission: "taskrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object({
    ...defaultedPageParameters,
    order: order("ASC"),
    workflowruns: list("IDs of runs; default all"),
    statuses: listOf(statuses, "Default all"),
    types: listOf(taskTypes, "Default all"),
    itemsOf: Type.Optional(
      Type.String({ maxLength: 400, description: "Name of a forEach task: only its items. Give runs with it", examples: ["build"] }),
    ),
    search: search("its name (give runs with it)"),
    sort: stringEnum(["creationDate", "task"], {
      default: "creationDate",
      description: "`task` is the order of the tasks in the workflow, each followed by its items. Give runs with it",
    }),
  }),
  response: ref(taskRunPage),
  async handle({ db, team, query: wanted, principal, services }) {
    const { limit, page } = wanted;
    if (!wanted.workflowruns?.length) refuseWithoutRuns(wanted);
    const filter = {
      ...(wanted.workflowruns?.length && { runs: wanted.workflowruns }),
      ...(wanted.statuses?.length && { statuses: wanted.statuses }),
      ...(wanted.types?.length && { types: wanted.types }),
      ...(wanted.itemsOf !== undefined && { itemsOf: wanted.itemsOf }),
      ...(wanted.search && { search: wanted.search }),
      ...(principal.workflowId !== undefined && { workflowId: principal.workflowId }),
    };
    const { order, sort } = wanted;
    const { rows, total } = await query(db, team.id, filter, { order, byTask: sort === "task", limit, offset: page * limit });
    const ids = [...new Set(rows.map(({ runId }) => runId))];
    const runs = await listRuns(db, team.id, { ids }, { order: "ASC", limit: ids.length, offset: 0 });
    const byId = new Map(runs.rows.map((run) => [run.id, run]));
    const views = await viewTaskRuns(db, services.runs, team.id, rows, ({ runId }) => byId.get(runId)!);
    return viewPage(views, { limit, page, total, sorted: true });
  },
});

/** Names and orders within a run; no index finds them in the history of a team. */
function refuseWithoutRuns({ itemsOf, search, sort }: { itemsOf?: string; search?: string; sort: string }): void {
  const named = { itemsOf, search: search || undefined, sort: sort === "task" ? sort : undefined };
  const first = Object.entries(named).find(([, value]) => value !== undefined);
  if (first === undefined) return;
  throw new AppError("QUERY_INVALID_FILTERS", [first[0], `${JSON.stringify(first[1])} needs workflowruns: give the IDs of runs as well`]);
}

export const getTaskRun = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/taskrun/:taskRunId",
  summary: "Read a task run with its attempts",
  tag: "Task runs",
  permission: "taskrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: Type.Object({ team: teamParameter, taskRunId: Type.String({ description: "ID of the task run" }) }),
  response: taskRun,
  async handle({ db, team, params, principal, services }) {
    const row = isId(params.taskRunId) ? await findTaskRun(db, team.id, params.taskRunId) : undefined;
    const run = row && (await findRun(db, team.id, row.runId));
    const isForeign = principal.workflowId !== undefined && run?.workflowId !== principal.workflowId;
    if (!row || !run || isForeign) throw await missingHistory(db, "TASKRUN_INVALID_REFERENCE", params.taskRunId, team.id);
    const waitsForOthers = row.status === "notstarted" || row.waitKind === "items";
    const siblings = waitsForOthers ? new Siblings(await listTaskRuns(db, team.id, run.id)) : undefined;
    const origin = run.retryOf === null ? undefined : await findTaskOrigin(db, team.id, run.id, row.id);
    const more = { siblings, ...(origin && { origins: { [row.id]: origin } }) };
    const [view] = await viewTaskRuns(db, services.runs, team.id, [row], () => run, more);
    return view;
  },
});
