import {
  type BulkOperation,
  type BulkRequest,
  type BulkRun,
  bulkOperation,
  bulkOperationPage,
  bulkOutcomes,
  bulkPlan,
  bulkPlanRequest,
  bulkRequest,
  bulkRunPage,
  type RunListFilter,
} from "@millrace/contract/run/run-bulk.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { parseInitiator } from "../../core/run/lineage.ts";
import { mostBulkRuns, requestBulk } from "../../domain/run/lists/bulk-runs.ts";
import { mostPlannedRuns, planBulkRerun } from "../../domain/run/lists/plan-bulk-rerun.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { refuseFaults } from "../../domain/workflow/refuse-faults.ts";
import type { Queryable } from "../../store/database/database.ts";
import { type BulkItemRow, type BulkRow, cancelBulk, findBulk, listBulk, listBulkItems } from "../../store/run/run-bulk.ts";
import type { RunFilter } from "../../store/run/run-filter.ts";
import { defineEndpoint, type Principal, reply } from "../endpoint.ts";
import { defaultedPageParameters, listOf, teamParameter, teamPath } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { toRunFilter } from "./run-filter-parameters.ts";

const path = "/api/v2/team/:team/workflowrun/bulk";
const bulkPath = Type.Object({ team: teamParameter, bulkId: Type.String({ description: "ID of the bulk action" }) });

export const requestBulkAction = defineEndpoint({
  method: "POST",
  path,
  summary: "Cancel, retry or rerun all runs that match a filter",
  description:
    `The runs are those that match now, ${mostBulkRuns} at most; they are processed one by one in the background. Your right to act on them is ` +
    "checked again for each. 400 if none matches. 409 if `expected` is another number, or if five bulk actions of the team are still running.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  idempotent: true,
  keepsToWorkflow: true,
  params: teamPath,
  body: ref(bulkRequest),
  response: ref(bulkOperation),
  async handle({ db, team, body, principal, requestId, services, audit, afterCommit }) {
    const { action, filter, expected, rerun } = body;
    refuseFaults(bulkFaults(body));
    const { kind, id, name, userId, tokenId, limit } = principal;
    const bulk = await requestBulk(db, {
      ...{ teamId: team.id, action, filter, rerun: rerun ?? null, requestId, expected },
      caller: { kind, id, name, userId, tokenId, limit },
      matching: matching(filter, principal),
    });
    audit({ kind: "workflowrun", id: bulk.id, name: `bulk ${action}`, after: { bulk: bulk.id, action, filter, rerun, total: bulk.total } });
    afterCommit(() => services.bus.wake(channels.bulk));
    return reply({ status: 202, body: viewBulk(bulk) });
  },
});

export const planBulkAction = defineEndpoint({
  method: "POST",
  path: `${path}/plan`,
  summary: "Plan a rerun of all runs that match a filter",
  description:
    `Counts what would be reused and what would run, and why. Of more than ${mostPlannedRuns} runs so many are planned, evenly spread; \`looked\` says ` +
    "how many. Nothing is changed.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  body: ref(bulkPlanRequest),
  response: ref(bulkPlan),
  handle: ({ db, team, body: { filter, rerun = {} }, principal, services }) =>
    planBulkRerun(db, services.runs, { teamId: team.id, matching: matching(filter, principal), rerun }),
});

/** Requests of a workflow token for other workflows match nothing. */
function matching({ labels, phase, triggers, statuses, workflowruns, ...shared }: RunListFilter, principal: Principal): RunFilter {
  const filter = toRunFilter(shared, principal);
  if (filter === undefined) return { ids: [] };
  return {
    ...filter,
    ...(labels && Object.keys(labels).length > 0 && { labels }),
    ...(phase?.length && { phases: phase }),
    ...(triggers?.length && { triggers }),
    ...(statuses?.length && { statuses }),
    ...(workflowruns?.length && { ids: workflowruns }),
  };
}

export const listBulkActions = defineEndpoint({
  method: "GET",
  path,
  summary: "List bulk actions on runs",
  description: "The newest first. They are kept for 30 days after their end.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  params: teamPath,
  query: Type.Object(defaultedPageParameters),
  response: ref(bulkOperationPage),
  async handle({ db, team, query: { limit, page } }) {
    const { rows, total } = await listBulk(db, team.id, { limit, offset: page * limit });
    return viewPage(rows.map(viewBulk), { limit, page, total, sorted: true });
  },
});

export const getBulkAction = defineEndpoint({
  method: "GET",
  path: `${path}/:bulkId`,
  summary: "Get a bulk action on runs, with its progress",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  params: bulkPath,
  response: ref(bulkOperation),
  handle: async ({ db, team, params }) => viewBulk(await getBulk(db, team.id, params.bulkId)),
});

export const listBulkRuns = defineEndpoint({
  method: "GET",
  path: `${path}/:bulkId/run`,
  summary: "List the runs of a bulk action with their outcomes",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  params: bulkPath,
  query: Type.Object({ ...defaultedPageParameters, outcomes: listOf(bulkOutcomes, "Default all") }),
  response: ref(bulkRunPage),
  async handle({ db, team, params, query: { limit, page, outcomes } }) {
    const { id: bulkId } = await getBulk(db, team.id, params.bulkId);
    const wanted = { teamId: team.id, bulkId, outcomes: outcomes?.length ? outcomes : undefined };
    const { rows, total } = await listBulkItems(db, wanted, { limit, offset: page * limit });
    return viewPage(rows.map(viewItem), { limit, page, total, sorted: true });
  },
});

export const cancelBulkAction = defineEndpoint({
  method: "DELETE",
  path: `${path}/:bulkId/cancel`,
  summary: "Cancel a bulk action on runs",
  description: "What was done stays done. The runs that are left do not change. 409 if it is over.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  params: bulkPath,
  response: ref(bulkOperation),
  async handle({ db, team, params, audit }) {
    const { id, action } = await getBulk(db, team.id, params.bulkId);
    if (!(await cancelBulk(db, team.id, id))) throw new AppError("CONFLICT", ["The bulk action has already ended"]);
    audit({ kind: "workflowrun", id, name: `bulk ${action}`, after: { bulk: id, status: "cancelled" } });
    return viewBulk(await getBulk(db, team.id, id));
  },
});

async function getBulk(db: Queryable, teamId: string, id: string): Promise<BulkRow> {
  const row = isId(id) ? await findBulk(db, teamId, id) : undefined;
  if (!row) throw new AppError("NOT_FOUND", [`bulk action ${id} in this team`]);
  return row;
}

function bulkFaults({ action, rerun }: BulkRequest): ErrorDetail[] {
  return rerun && action !== "rerun" ? [{ path: "/rerun", message: `is for the action rerun, not for ${action}; leave it out` }] : [];
}

function viewBulk({ id, action, filter, rerun, status, caller, total, done, failed, createdAt, endedAt }: BulkRow): BulkOperation {
  return {
    ...{ id, action, filter, status, total, done, failed, left: total - done - failed },
    creationDate: createdAt.toISOString(),
    ...(rerun && { rerun }),
    ...(endedAt && { endDate: endedAt.toISOString() }),
    createdByRef: parseInitiator(caller.id).ref ?? "",
    createdByName: caller.name,
  };
}

function viewItem({ runId, outcome, message, newRunId, endedAt }: BulkItemRow): BulkRun {
  return {
    workflowRunRef: runId,
    outcome,
    ...(message !== null && { message }),
    ...(newRunId !== null && { newWorkflowRunRef: newRunId }),
    ...(endedAt && { date: endedAt.toISOString() }),
  };
}
