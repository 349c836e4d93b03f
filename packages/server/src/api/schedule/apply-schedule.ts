import { workflowSchedule } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { changeSchedule, createSchedule } from "../../domain/schedule/save-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { lineageHeaders } from "../lineage-header.ts";
import { teamPath } from "../team-path.ts";
import { viewSchedule } from "./schedule.view.ts";
import { scheduleContext } from "./schedule-context.ts";

export const applySchedule = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/schedule",
  summary: "Change or create a schedule",
  description:
    "With `id` it changes that schedule: members that are left out and empty secrets don't change, null clears a member. The workflow can't be changed. " +
    "Without `id` it is the same as POST.",
  tag: "Schedules",
  permission: "schedule/write",
  transaction: "write",
  keepsToWorkflow: true,
  params: teamPath,
  headers: lineageHeaders,
  body: ref(workflowSchedule),
  response: ref(workflowSchedule),
  async handle({ db, team, principal, headers, body, keyring, services, audit, afterCommit }) {
    const context = scheduleContext({ team, principal, headers, keyring });
    const { before, after } = body.id
      ? await changeSchedule(db, context, body.id, body)
      : { before: undefined, after: await createSchedule(db, context, body) };
    const view = viewSchedule(after);
    audit({ kind: "schedule", id: view.id, name: view.name, ...(before && { before: viewSchedule(before) }), after: view });
    afterCommit(() => services.bus.wake(channels.schedules));
    return view;
  },
});
