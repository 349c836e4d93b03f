import { scheduleFiringPage } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { requireSchedule } from "../../domain/schedule/require-schedule.ts";
import { listFirings } from "../../store/schedule/schedule-firings.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, defaultedPageParameters, toDateRange } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewFiring } from "./schedule.view.ts";
import { schedulePath } from "./schedule-path.ts";

export const queryFirings = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/schedule/:scheduleId/firings",
  summary: "Read the outcomes of the times of a schedule",
  description: "A page, newest first: the run that was submitted, or why there is none. Kept for 30 days.",
  tag: "Schedules",
  permission: "schedule/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: schedulePath,
  query: Type.Object({
    ...defaultedPageParameters,
    fromDate: date("Not before this time"),
    toDate: date("Not after this time"),
  }),
  response: ref(scheduleFiringPage),
  async handle({ db, team, params, query, principal }) {
    const { limit, page } = query;
    const schedule = await requireSchedule(db, team.id, params.scheduleId, principal.workflowId);
    const { rows, total } = await listFirings(db, team.id, schedule.id, { limit, offset: page * limit }, toDateRange(query));
    return viewPage(rows.map(viewFiring), { limit, page, total, sorted: true });
  },
});
