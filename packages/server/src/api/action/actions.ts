import {
  actionPage,
  actionRequest,
  action as actionSchema,
  actionStatuses,
  actionSummary,
  actionTypes,
} from "@millrace/contract/action/action.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { decideActions as decide } from "../../domain/action/decide-actions.ts";
import { missingHistory } from "../../domain/history/removed-history.ts";
import { publishChanges } from "../../domain/run/report-changes.ts";
import { countActions, countOpenActions as countOpen, listActionsById, queryActions as query } from "../../store/action/actions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { date, defaultedPageParameters, list, listOf, order, teamParameter, teamPath, toDateRange } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { ballotOf, viewAction, viewListedAction, voterOf } from "./action.view.ts";
import { publicationOf, wakeForPublished } from "./publication.ts";
import { readWholeAction } from "./read-whole-action.ts";

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
    withForms: Type.Boolean({
      default: true,
      description:
        "false leaves `fields` empty (`fieldCount` stays) and cuts `instructions` to 300 characters: for lists that only show them",
    }),
  }),
  response: ref(actionPage),
  async handle({ db, team, query: wanted, principal }) {
    const { limit, page, types, statuses, workflows } = wanted;
    const votableBy = wanted.mine ? ballotOf(principal, [team.id]) : undefined;
    const filter = { types, statuses, workflows, isOverdue: wanted.overdue, votableBy, ...toDateRange(wanted) };
    const isDescending = wanted.order === "DESC";
    const { rows, total } = await query(db, team.id, filter, { limit, offset: page * limit, isDescending, sort: wanted.sort });
    const views = rows.map((row) => (wanted.withForms ? viewAction : viewListedAction)(row, team.name));
    return viewPage(views, { limit, page, total, sorted: true });
  },
});

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

const mostOpen = 100;

export const countOpenActions = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/action/open-count",
  summary: "Count the open actions of a team up to a hundred",
  description: "Takes the same time however many there are.",
  tag: "Actions",
  permission: "action/read",
  transaction: "read",
  params: teamPath,
  response: Type.Object({ count: Type.Integer({ minimum: 0, maximum: mostOpen, description: "100: that many or more" }) }),
  async handle({ db, team }) {
    return { count: await countOpen(db, team.id, mostOpen) };
  },
});

export const getAction = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/action/:actionId",
  summary: "Read an action with its votes, attachments and history",
  tag: "Actions",
  permission: "action/read",
  transaction: "read",
  params: Type.Object({ team: teamParameter, actionId: Type.String({ description: "ID of the action" }) }),
  response: actionSchema,
  async handle({ db, team, params }) {
    const [row] = await listActionsById(db, team.id, [params.actionId]);
    if (row === undefined) throw await missingHistory(db, "ACTION_INVALID_REF", params.actionId, team.id);
    return readWholeAction(db, team, row);
  },
});

export const decideActions = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/action",
  summary: "Vote on actions",
  description:
    "Approves or rejects. All votes are cast or none: if one is refused, the response has the status of the first refused vote and an entry in `errors` for each, " +
    "with its index as path. A person or token has one vote. With an approver group only its members can vote, in any role; " +
    "without a group you need action/action. A task can exclude the person who started the run. `values` fills in the fields of the action; what is wrong with one " +
    "has an entry with the path `INDEX/values/NAME`. With several approvals, the values of the deciding vote count.",
  tag: "Actions",
  permission: "action/action",
  entrance: "action/read",
  transaction: "write",
  params: teamPath,
  body: Type.Array(ref(actionRequest), {
    maxItems: 1000,
    examples: [[{ id: "…", approved: true, comments: "Looks good", values: { version: "1.4.0" } }]],
  }),
  response: null,
  async handle({ db, team, body, principal, services, audit, afterCommit }) {
    const votes = body.map(({ id, approved, comments, values }) => ({
      actionId: id,
      approved: approved === true,
      comments: comments?.trim() || null,
      values: values ?? {},
    }));
    const { cast, changes, published } = await decide(db, services.runs, team.id, voterOf(principal, team.id), votes);
    for (const { action, vote, decision } of cast) {
      const { approved, comments, values } = vote;
      const entered = Object.keys(values).length > 0 ? { values } : {};
      const after = { approved, comments, ...entered, status: decision ?? action.status };
      audit({ kind: "action", id: action.id, name: action.taskName, after });
    }
    for (const one of published) audit(publicationOf(one));
    afterCommit(() => wakeForPublished(services, team.id, published));
    afterCommit(() => publishChanges(services, changes));
  },
});
