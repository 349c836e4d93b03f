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
