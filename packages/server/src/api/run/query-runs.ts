import { workflowRunPage } from "@millrace/contract/run.ts";
import { ref } from "@millrace/contract/schema.ts";
import { phases, statuses, triggers } from "@millrace/contract/status.ts";
import Type from "typebox";
import { listRuns, type RunFilter } from "../../store/run/runs.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, list, listOf, order } from "../query-parameters.ts";
import { teamPath } from "../team-path.ts";
import { viewPage } from "../view-page.ts";
import { loadQueue } from "./load-run.ts";
import { viewRun } from "./run.view.ts";
import { runFilterParameters, toRunFilter } from "./run-filter.ts";
import { loadStuck } from "./run-warnings.ts";
import { isBehindQuota } from "./wait.view.ts";

export const queryRuns = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/query",
  summary: "Find runs",
  description: "A page of runs by date of creation, without their task runs.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object({
    ...defaultedPageParameters,
    order: order("ASC"),
    ...runFilterParameters,
    statuses: listOf(statuses, "Default all"),
    phase: listOf(phases, "Default all"),
    triggers: listOf(triggers, "Default all"),
    workflowruns: list("IDs of runs; default all"),
  }),
  response: ref(workflowRunPage),
  async handle({ db, team, query, principal, services }) {
    const { limit, page } = query;
    const shared = toRunFilter(query, principal);
    if (shared === undefined) return viewPage([], { limit, page, total: 0, sorted: true });
    const filter: RunFilter = {
      ...shared,
      ...(query.statuses?.length && { statuses: query.statuses }),
      ...(query.phase?.length && { phases: query.phase }),
      ...(query.triggers?.length && { triggers: query.triggers }),
      ...(query.workflowruns?.length && { ids: query.workflowruns }),
    };
    const { rows, total } = await listRuns(db, team.id, filter, { order: query.order, limit, offset: page * limit });
    const queue = rows.some(isBehindQuota) ? await loadQueue(db, services.runs, team.id) : undefined;
    const stuck = await loadStuck(db, team.id, rows);
    return viewPage(
      rows.map((row) => viewRun(row, { queue, stuck: stuck.get(row.id) })),
      { limit, page, total, sorted: true },
    );
  },
});
