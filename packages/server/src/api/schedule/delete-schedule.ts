import { AppError } from "../../base/error/app-error.ts";
import { requireSchedule } from "../../domain/schedule/require-schedule.ts";
import { deleteSchedule as remove } from "../../store/schedule/schedules.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewSchedule } from "./schedule.view.ts";
import { schedulePath } from "./schedule-path.ts";

export const deleteSchedule = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/schedule/:scheduleId",
  summary: "Delete a schedule with its history",
  description: "It no longer fires. Its runs stay, and continue. To keep the schedule for reference, set its status to archived instead.",
  tag: "Schedules",
  permission: "schedule/delete",
  transaction: "write",
  keepsToWorkflow: true,
  params: schedulePath,
  response: null,
  async handle({ db, team, params, principal, audit }) {
    const schedule = await requireSchedule(db, team.id, params.scheduleId, principal.workflowId);
    if (!(await remove(db, team.id, schedule.id))) throw new AppError("SCHEDULE_INVALID_REF", [params.scheduleId]);
    audit({ kind: "schedule", id: schedule.id, name: schedule.name, before: viewSchedule(schedule) });
  },
});
