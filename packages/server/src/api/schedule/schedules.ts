import { schedulePage, scheduleStatuses, scheduleTypes, workflowSchedule } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { lineageHeaders } from "../../core/run/lineage.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { requireSchedule } from "../../domain/schedule/require-schedule.ts";
import { changeSchedule, createSchedule as create } from "../../domain/schedule/save-schedule.ts";
import { countSchedules, listSchedules, deleteSchedule as remove, type ScheduleFilter } from "../../store/schedule/schedules.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, list, listOf, search, teamPath } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { scheduleContext, schedulePath, viewSchedule } from "./schedule.view.ts";

export const querySchedules = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/schedule/query",
  summary: "Find schedules",
  description: "A page of schedules, by date of creation.",
  tag: "Schedules",
  permission: "schedule/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object({
    ...defaultedPageParameters,
    statuses: listOf(scheduleStatuses, "Default all"),
    types: listOf(scheduleTypes, "Default all"),
    workflows: list("Names or IDs; default all"),
    search: search("the name, the description or a name of the workflow"),
  }),
  response: ref(schedulePage),
  async handle({ db, team, query, principal }) {
    const { limit, page, statuses, types, workflows, search } = query;
    const filter: ScheduleFilter = { statuses, types, workflows, search, onlyWorkflowId: principal.workflowId };
    const total = await countSchedules(db, team.id, filter);
    const rows = await listSchedules(db, team.id, filter, { limit, offset: page * limit });
    return viewPage(rows.map(viewSchedule), { limit, page, total, sorted: true });
  },
});

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
  documentKinds: ["Schedule"],
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
  documentKinds: ["Schedule"],
  body: ref(workflowSchedule),
  response: ref(workflowSchedule),
  async handle({ db, team, principal, headers, body, keyring, services, audit, afterCommit }) {
    const context = scheduleContext({ team, principal, headers, keyring });
    const { before, after } = body.id
      ? await changeSchedule(db, context, body.id, body)
      : { before: undefined, after: await create(db, context, body) };
    const view = viewSchedule(after);
    audit({ kind: "schedule", id: view.id, name: view.name, ...(before && { before: viewSchedule(before) }), after: view });
    afterCommit(() => services.bus.wake(channels.schedules));
    return view;
  },
});

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
