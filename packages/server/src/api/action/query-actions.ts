import { actionPage, actionStatuses, actionTypes } from "@millrace/contract/action.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { queryActions as query } from "../../store/action/actions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, defaultedPageParameters, list, listOf, order, toDateRange } from "../query-parameters.ts";
import { teamPath } from "../team-path.ts";
import { viewPage } from "../view-page.ts";
import { viewAction } from "./action.view.ts";
import { ballotOf } from "./voter-of.ts";

export const queryActions = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/action/query",
  summary: "Find actions",
  tag: "Actions",
  permission: "action/read",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    ...defaultedPageParameters,
    types: listOf(actionTypes, "Default all"),
    statuses: listOf(actionStatuses, "Default all"),
    workflows: list("Names or IDs; default all"),
    order: order("DESC"),
    sort: Type.String({
      default: "creationDate",
      maxLength: 100,
      description: "creationDate, deadline, status, type, workflowName, taskName or numberOfApprovers; any other counts as creationDate",
    }),
    overdue: Type.Optional(Type.Boolean({ description: "true: only open actions whose reminder is due; false: all others" })),
    mine: Type.Optional(Type.Boolean({ description: "true: only open actions that are waiting for your vote; false: all" })),
    fromDate: date("Created at this time or later"),
    toDate: date("Created at this time or earlier"),
  }),
  response: ref(actionPage),
  async handle({ db, team, query: wanted, principal }) {
    const { limit, page, types, statuses, workflows } = wanted;
    const votableBy = wanted.mine ? ballotOf(principal, [team.id]) : undefined;
    const filter = { types, statuses, workflows, isOverdue: wanted.overdue, votableBy, ...toDateRange(wanted) };
    const isDescending = wanted.order === "DESC";
    const { rows, total } = await query(db, team.id, filter, { limit, offset: page * limit, isDescending, sort: wanted.sort });
    const views = rows.map((row) => viewAction(row, team.name));
    return viewPage(views, { limit, page, total, sorted: true });
  },
});
