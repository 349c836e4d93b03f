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
  description: "The number of open approvals and manual tasks, and the percentage of actions decided. Cancelled actions don't count.",
  tag: "Actions",
  permission: "action/read",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    workflows: list("Names or IDs; default all"),
    fromDate: date("Created at this time or later"),
    toDate: date("Created at this time or earlier"),
  }),
  response: actionSummary,
  async handle({ db, team, query }) {
    const { openManual, openApprovals, decided } = await countActions(db, team.id, { workflows: query.workflows, ...toDateRange(query) });
    const all = openManual + openApprovals + decided;
    return { approvalsRate: all === 0 ? 0 : Math.round((100 * decided) / all), manual: openManual, approvals: openApprovals };
  },
});
