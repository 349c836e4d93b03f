import { workflowRun } from "@millrace/contract/run/run.ts";
import {
  maxBackfillTimes,
  type ScheduleBackfill,
  scheduleBackfill,
  scheduleBackfillRequest,
  scheduleFiringPage,
} from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { lineageHeaders, lineageOf } from "../../core/run/lineage.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { requireSchedule } from "../../domain/schedule/require-schedule.ts";
import { backfillSchedule as backfill, submitForSchedule } from "../../domain/schedule/submit-for-schedule.ts";
import { listFirings } from "../../store/schedule/schedule-firings.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, defaultedPageParameters, toDateRange } from "../request-parameters.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { viewPage } from "../view-page.ts";
import { schedulePath, viewFiring } from "./schedule.view.ts";

export const queryFirings = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/schedule/:scheduleId/firings",
  summary: "Read the outcomes of the times of a schedule",
  description: "A page, newest first: the run that was submitted, or why there is none. Kept for 30 days.",
  tag: "Schedules",
  permission: "schedule/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: schedulePath,
  query: Type.Object({
    ...defaultedPageParameters,
    fromDate: date("Not before this time"),
    toDate: date("Not after this time"),
  }),
  response: ref(scheduleFiringPage),
  async handle({ db, team, params, query, principal }) {
    const { limit, page } = query;
    const schedule = await requireSchedule(db, team.id, params.scheduleId, principal.workflowId);
    const { rows, total } = await listFirings(db, team.id, schedule.id, { limit, offset: page * limit }, toDateRange(query));
    return viewPage(rows.map(viewFiring), { limit, page, total, sorted: true });
  },
});

export const submitSchedule = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/schedule/:scheduleId/submit",
  summary: "Submit a run of a schedule now",
  description:
    "Uses the parameters, including secrets, and the labels of the schedule. Its times don't change, and a paused schedule stays paused. " +
    "You are the initiator of the run: the overlap policy does not count it.",
  tag: "Schedules",
  permission: "schedule/action",
  transaction: "write",
  idempotent: true,
  keepsToWorkflow: true,
  params: schedulePath,
  headers: lineageHeaders,
  response: workflowRun,
  async handle({ db, team, params, principal, headers, services, auditRecord, afterCommit }) {
    const schedule = await requireSchedule(db, team.id, params.scheduleId, principal.workflowId);
    const audit = (id: string) => auditRecord({ kind: "workflowrun", id, name: schedule.workflowName });
    const asked = { teamId: team.id, initiatedBy: principal.id, lineage: lineageOf({ headers }), audit };
    const run = await submitForSchedule(db, services.runs, schedule, asked);
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted(run.row, principal);
  },
});

export const backfillSchedule = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/schedule/:scheduleId/backfill",
  summary: "Start runs for past times of a schedule",
  description:
    `Starts a run for each time of the range that has none, at most ${maxBackfillTimes} times: also for times that were skipped, refused or missed, and while the schedule is paused.  ` +
    "A time never gets a second run as long as its record is kept, so repeating the request starts nothing. With `preview` it only returns the times. " +
    "All runs are submitted or none: a quota, an inactive workflow or a disabled trigger `schedule` refuses the whole request.",
  tag: "Schedules",
  permission: "schedule/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: schedulePath,
  headers: lineageHeaders,
  body: scheduleBackfillRequest,
  response: scheduleBackfill,
  async handle({ db, team, params, body, principal, headers, services, audit, auditNothing, afterCommit }): Promise<ScheduleBackfill> {
    const isPreview = body.preview === true;
    const { schedule, times, runs } = await backfill(db, services.runs, {
      ...{ teamId: team.id, scheduleId: params.scheduleId, onlyWorkflowId: principal.workflowId, initiatedBy: principal.id },
      ...{ from: body.from, to: body.to, timeParam: body.timeParam || undefined, isPreview },
      lineage: lineageOf({ headers }),
    });
    if (runs.length === 0) auditNothing();
    else
      audit({ kind: "schedule", id: schedule.id, name: schedule.name, after: { backfilled: runs.length, from: body.from, to: body.to } });
    afterCommit(() => {
      for (const run of runs) publishSubmitted(services, run);
    });
    return { preview: isPreview, count: times.filter(({ isNew }) => isNew).length, times };
  },
});
