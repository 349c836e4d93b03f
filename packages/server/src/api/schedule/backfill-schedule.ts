import { maxBackfillTimes, type ScheduleBackfill, scheduleBackfill, scheduleBackfillRequest } from "@millrace/contract/schedule.ts";
import { backfillSchedule as backfill } from "../../domain/schedule/backfill-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { lineageHeaders, lineageOf } from "../lineage-header.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { schedulePath } from "./schedule-path.ts";

export const backfillSchedule = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/schedule/:scheduleId/backfill",
  summary: "Start runs for past times of a schedule",
  description:
    `Each time of the range that has no run gets one now, at most ${maxBackfillTimes} times: also where it was skipped, refused or missed, and while the schedule is paused. ` +
    "A time that has a run gets no second one, so that asking again starts nothing, as long as its record is kept. With `preview` it only tells the times. " +
    "All runs are submitted, or none: what a submission refuses (a quota, an inactive workflow, its trigger `schedule` turned off) refuses the whole.",
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
