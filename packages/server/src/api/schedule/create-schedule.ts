import { workflowSchedule } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { createSchedule as create } from "../../domain/schedule/save-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { lineageHeaders } from "../lineage-header.ts";
import { teamPath } from "../team-path.ts";
import { viewSchedule } from "./schedule.view.ts";
import { scheduleContext } from "./schedule-context.ts";

export const createSchedule = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/schedule",
  summary: "Create a schedule for a workflow",
  description:
    "Needs `workflowRef`, `timezone`, and `cronSchedule` or, for the type runOnce, `dateSchedule`. While the trigger `schedule` of the workflow is disabled, " +
    "the schedule has the status trigger_disabled.",
  tag: "Schedules",
  permission: "schedule/write",
  transaction: "write",
  keepsToWorkflow: true,
  params: teamPath,
  headers: lineageHeaders,
  body: ref(workflowSchedule),
  response: ref(workflowSchedule),
  async handle(context) {
    const { db, body, services, audit, afterCommit } = context;
    const view = viewSchedule(await create(db, scheduleContext(context), body));
    audit({ kind: "schedule", id: view.id, name: view.name, after: view });
    afterCommit(() => services.bus.wake(channels.schedules));
    return view;
  },
});
