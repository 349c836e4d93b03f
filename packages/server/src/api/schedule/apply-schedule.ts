import type { ScheduleInput } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import { channels } from "../../domain/run/announce-changes.ts";
import { changeSchedule, createSchedule } from "../../domain/schedule/save-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { viewSchedule } from "./schedule.view.ts";

export const applySchedule = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/schedule",
  summary: "Change a schedule, or make one",
  description:
    "With `id` that schedule is changed: what is left out stays as it is, null clears it, and a secret that is left empty stays. Its workflow can't be changed. " +
    "Without `id` it is the same as POST.",
  tag: "Schedules",
  permission: "schedule/write",
  transaction: "write",
  keepsToWorkflow: true,
  params: teamPath,
  body: ref<ScheduleInput>("WorkflowSchedule"),
  response: ref("WorkflowSchedule"),
  async handle({ db, team, principal, body, keyring, services, audit, afterCommit }) {
    const context = { teamId: team.id, keyring, author: { principal: principal.id }, onlyWorkflowId: principal.workflowId };
    const { before, after } = body.id
      ? await changeSchedule(db, context, body.id, body)
      : { before: undefined, after: await createSchedule(db, context, body) };
    const view = viewSchedule(after);
    audit({ kind: "schedule", id: view.id, name: view.name, ...(before && { before: viewSchedule(before) }), after: view });
    afterCommit(() => services.wire.wake(channels.schedules));
    return view;
  },
});
