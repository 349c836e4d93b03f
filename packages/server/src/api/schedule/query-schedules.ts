import { schedulePage, scheduleStatuses, scheduleTypes } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { countSchedules, listSchedules, type ScheduleFilter } from "../../store/schedule/schedules.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, list, listOf, search } from "../query-parameters.ts";
import { teamPath } from "../team-path.ts";
import { viewPage } from "../view-page.ts";
import { viewSchedule } from "./schedule.view.ts";

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
