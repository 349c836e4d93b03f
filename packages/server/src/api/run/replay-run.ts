import {
  markPlanRequest,
  markSucceededRequest,
  type RunRerun,
  rerunPlan,
  rerunPlanRequest,
  rerunRequest,
  runRerunPage,
} from "@millrace/contract/run/rerun.ts";
import { workflowRun } from "@millrace/contract/run/run.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { lineageHeaders, lineageOf, parseInitiator } from "../../core/run/lineage.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { planForPeople } from "../../domain/run/rerun/plan-for-people.ts";
import { rerunRun } from "../../domain/run/rerun/retry-run.ts";
import { findRerun, listRerunsOf, type RerunOfRow } from "../../store/run/reruns.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { getRunRow, runPath } from "./load-run.ts";
import { viewSubmitted } from "./run.view.ts";

/** Rerunning from any task, and marking a failed task as succeeded. Each is planned first, and then executed. */

const path = "/api/v2/team/:team/workflowrun/:runId";
const shared = { method: "POST", tag: "Runs", keepsToWorkflow: true, params: runPath } as const;
const startQuery = Type.Object({ start: Type.Boolean({ default: false, description: "Start the new run now instead of queueing it" }) });

export const planRerun = defineEndpoint({
  ...shared,
  path: `${path}/rerun/plan`,
  summary: "Plan to run a run again",
  description:
    "Says for each task whether it is reused with its results or runs again, and why, and what of the run can't be used. Nothing is changed. " +
    "409 for a run that is still open.",
  permission: "workflowrun/action",
  transaction: "read",
  body: ref(rerunPlanRequest),
  bodyOptional: true,
  response: ref(rerunPlan),
  async handle({ db, team, params, body, principal, services }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    return planForPeople(db, services.runs, team.id, row, body ?? {});
  },
});

export const replayRun = defineEndpoint({
  ...shared,
  path: `${path}/rerun`,
  summary: "Run a run again from any task",
  description:
    "Creates a run of the same version or a later one that reuses task runs with their results, as the plan says. Also of a run that succeeded. " +
    "409 if `plan` is another one now, if nothing would run, and for a run that is still open.",
  permission: "workflowrun/action",
  transaction: "write",
  idempotent: true,
  headers: lineageHeaders,
  query: startQuery,
  body: ref(rerunRequest),
  bodyOptional: true,
  response: workflowRun,
  async handle({ db, team, params, query, body, principal, headers, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    const { plan: seen, ...options } = body ?? {};
    const own = { teamId: team.id, runId: row.id, start: query.start, initiatedBy: principal.id, lineage: lineageOf({ headers }) };
    const run = await rerunRun(db, services.runs, { ...own, options, seen });
    const after = {
      rerunOf: row.id,
      from: options.from,
      version: run.row.workflowVersion,
      params: options.params?.map(({ name }) => name),
    };
    audit({ kind: "workflowrun", id: run.id, name: row.workflowName, after });
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted(run.row, principal, await findRerun(db, team.id, run.id));
  },
});

export const listReruns = defineEndpoint({
  ...shared,
  method: "GET",
  path: `${path}/rerun`,
  summary: "List the runs that were made from a run",
  description: "The newest first: reruns of it, not retries from the beginning.",
  permission: "workflowrun/read",
  transaction: "read",
  query: Type.Object(defaultedPageParameters),
  response: ref(runRerunPage),
  async handle({ db, team, params, query: { limit, page }, principal }) {
    const { id } = await getRunRow(db, team.id, params.runId, principal);
    const { rows, total } = await listRerunsOf(db, team.id, id, { limit, offset: page * limit });
    return viewPage(rows.map(viewRerun), { limit, page, total, sorted: true });
  },
});

export const planMark = defineEndpoint({
  ...shared,
  path: `${path}/mark-succeeded/plan`,
  summary: "Plan to continue after a failed task",
  description: "What would run if the task had succeeded with these results. Nothing is changed.",
  permission: "taskrun/write",
  transaction: "read",
  body: ref(markPlanRequest),
  response: ref(rerunPlan),
  async handle({ db, team, params, body, principal, services }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    return planForPeople(db, services.runs, team.id, row, { marked: { task: body.task, results: body.results ?? [] } });
  },
});

export const markSucceeded = defineEndpoint({
  ...shared,
  path: `${path}/mark-succeeded`,
  summary: "Mark a failed task as succeeded and continue",
  description:
    "Creates a run in which the task counts as succeeded with these results; it shows who marked it and why. What succeeded is reused, the rest " +
    "runs. Approvals, locks and switches can't be marked. 409 if `plan` is another one now, and for a run that is still open.",
  permission: "taskrun/write",
  transaction: "write",
  idempotent: true,
  headers: lineageHeaders,
  query: startQuery,
  body: ref(markSucceededRequest),
  response: workflowRun,
  async handle({ db, team, params, query, body, principal, headers, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    const { plan: seen, task, reason, results = [] } = body;
    const own = { teamId: team.id, runId: row.id, start: query.start, initiatedBy: principal.id, lineage: lineageOf({ headers }) };
    const mark = { by: principal.id, name: principal.name, reason };
    const run = await rerunRun(db, services.runs, { ...own, options: { marked: { task, results } }, seen, mark });
    const after = { markedSucceeded: task, of: row.id, reason, results: results.map(({ name }) => name) };
    audit({ kind: "workflowrun", id: run.id, name: row.workflowName, after });
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted(run.row, principal, await findRerun(db, team.id, run.id));
  },
});

function viewRerun({ runId, version, status, phase, waitKinds, reused, initiatedBy, createdAt }: RerunOfRow): RunRerun {
  const by = initiatedBy === null ? undefined : parseInitiator(initiatedBy).ref;
  return {
    ...{ workflowRunRef: runId, version, status, phase, reused, creationDate: createdAt.toISOString() },
    ...(waitKinds.length > 0 && { waitKinds }),
    ...(by && { initiatedByRef: by }),
  };
}
