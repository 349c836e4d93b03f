import { actionSummary } from "@millrace/contract/action.ts";
import Type from "typebox";
import { countActions } from "../../store/action/actions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, list, toDateRange } from "../query-parameters.ts";
import { teamPath } from "../team-path.ts";

export const summarizeActions = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/action/summary",
  summary: "Count the open actions",
  description: "Open approvals and manual tasks, and how many of all actions that were not cancelled have been decided, in per cent.",
  tag: "Actions",
  permission: "action/read",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    workflows: list("Names or ids; default all"),
    fromDate: date("Made at this time or later"),
    toDate: date("Made at this time or earlier"),
  }),
  response: actionSummary,
  async handle({ db, team, query }) {
    const { openManual, openApprovals, decided } = await countActions(db, team.id, { workflows: query.workflows, ...toDateRange(query) });
    const all = openManual + openApprovals + decided;
    return { approvalsRate: all === 0 ? 0 : Math.round((100 * decided) / all), manual: openManual, approvals: openApprovals };
  },
});
