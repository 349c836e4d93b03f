import type { ScheduleInput } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import { channels } from "../../domain/run/announce-changes.ts";
import { createSchedule as create } from "../../domain/schedule/save-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { viewSchedule } from "./schedule.view.ts";

export const createSchedule = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/schedule",
  summary: "Make a schedule for a workflow",
  description:
    "Needs `workflowRef`, `timezone`, and `cronSchedule` or, for the type runOnce, `dateSchedule`. While the schedule trigger of the workflow is off, " +
    "the schedule waits as trigger_disabled.",
  tag: "Schedules",
  permission: "schedule/write",
  transaction: "write",
  keepsToWorkflow: true,
  params: teamPath,
  body: ref<ScheduleInput>("WorkflowSchedule"),
  response: ref("WorkflowSchedule"),
  async handle({ db, team, principal, body, keyring, services, audit, afterCommit }) {
    const schedule = await create(
      db,
      { teamId: team.id, keyring, author: { principal: principal.id }, onlyWorkflowId: principal.workflowId },
      body,
    );
    const view = viewSchedule(schedule);
    audit({ kind: "schedule", id: view.id, name: view.name, after: view });
    afterCommit(() => services.wire.wake(channels.schedules));
    return view;
  },
});
