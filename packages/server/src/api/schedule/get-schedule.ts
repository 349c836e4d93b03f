import { workflowSchedule } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import { requireSchedule } from "../../domain/schedule/require-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewSchedule } from "./schedule.view.ts";
import { schedulePath } from "./schedule-path.ts";

export const getSchedule = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/schedule/:scheduleId",
  summary: "Read a schedule",
  tag: "Schedules",
  permission: "schedule/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: schedulePath,
  response: ref(workflowSchedule),
  async handle({ db, team, params, principal }) {
    return viewSchedule(await requireSchedule(db, team.id, params.scheduleId, principal.workflowId));
  },
});
