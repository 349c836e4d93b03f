import { workflowRunCount, workflowRunPage } from "@millrace/contract/run/run.ts";
import { mostSortedHits, mostSortedRuns, runSorts } from "@millrace/contract/run/run-sort.ts";
import { ref, stringEnum } from "@millrace/contract/schema.ts";
import { phases, statuses, triggers } from "@millrace/contract/status.ts";
import Type from "typebox";
import type { Queryable } from "../../store/database/database.ts";
import { type RunFilter, withWorkflowIds } from "../../store/run/run-filter.ts";
import { countRunsByStatus, listRuns } from "../../store/run/runs.ts";
import { countWaits } from "../../store/team/on-call.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, list, listOf, order, teamPath } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { loadQueue } from "./load-run.ts";
import { isBehindQuota, loadStuck, viewRun } from "./run.view.ts";
import { loadSearchState, runFilterParameters, toRunFilter } from "./run-filter-parameters.ts";

export const queryRuns = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/query",
  summary: "Find runs",
  description:
    "A page of runs by date of creation or by `sortBy`, without their task runs. `search` asks an index that is seconds behind the runs; the response says so " +
    "if it is more. If more than 10,000 runs match, the total is 10,000, and pages beyond are there.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object({
    ...defaultedPageParameters,
    order: order("ASC"),
    sortBy: stringEnum(runSorts, {
      default: "creationDate",
      description:
        `The date of creation; the duration, the status or the name of the workflow are sorted among the newest ${mostSortedRuns} runs ` +
        `(${mostSortedHits} with \`search\`), as \`sortedRuns\` of the page says. Runs that are not over have no duration and come last`,
    }),
    ...runFilterParameters,
    statuses: listOf(
      statuses,
      "`waiting` finds runs that have begun and of which nothing runs; `running` finds them too, unless `waits` is false. Default all",
    ),
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
    const by = query.sortBy === "creationDate" ? undefined : query.sortBy;
    const wanted = { order: query.order, by, limit, offset: page * limit };
    const { rows, total, isMinimum, sorted } = await listRuns(db, team.id, filter, wanted);
    const queue = rows.some(isBehindQuota) ? await loadQueue(db, services.runs, team.id, rows) : undefined;
    const stuck = await loadStuck(db, team.id, rows);
    const views = rows.map((row) => viewRun(row, { queue, stuck: stuck.get(row.id) }));
    const sortedRuns = sorted && { count: sorted.count, ...(sorted.from && { fromDate: sorted.from.toISOString() }) };
    const answer = { ...viewPage(views, { limit, page, total, sorted: true }), ...(sortedRuns && { sortedRuns }) };
    if (filter.search === undefined) return answer;
    return { ...answer, search: { ...(await loadSearchState(db)), ...(isMinimum && { totalIsMinimum: true }) } };
  },
});

export const countRuns = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/count",
  summary: "Count runs by status",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object(runFilterParameters),
  response: workflowRunCount,
  async handle({ db, team, query, principal }) {
    const filter = toRunFilter(query, principal);
    const found = filter === undefined ? new Map<string, number>() : await countRunsByStatus(db, team.id, filter);
    const counts = Object.fromEntries(statuses.map((status) => [status, found.get(status) ?? 0]));
    const waits = filter === undefined ? undefined : await countWaitsOf(db, team.id, filter);
    return {
      ...(waits && { waits: Object.fromEntries(waits.map(({ kind, count }) => [kind, count])) }),
      status: { all: [...found.values()].reduce((sum, count) => sum + count, 0), ...counts },
    };
  },
});

/** Undefined if the filter has more than the workflow. */
async function countWaitsOf(db: Queryable, teamId: string, { workflows, ...others }: RunFilter) {
  if (Object.values(others).some((one) => one !== undefined)) return undefined;
  const ids = workflows && (await withWorkflowIds(db, teamId, { workflows })).workflows;
  return countWaits(db, [teamId], ids);
}
