import { actionCommentRequest, actionDelegationRequest, action as actionSchema } from "@millrace/contract/action/action.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { commentOnAction as comment, delegateAction as delegate } from "../../domain/action/discuss-action.ts";
import { listActionsById } from "../../store/action/actions.ts";
import type { Transaction } from "../../store/database/database.ts";
import { defineEndpoint, type TeamScope } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";
import { voterOf } from "./action.view.ts";
import { readWholeAction } from "./read-whole-action.ts";

/** What people do with an open action besides voting. */

const params = Type.Object({ team: teamParameter, actionId: Type.String({ description: "ID of the action" }) });

export const commentOnAction = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/action/:actionId/comment",
  summary: "Comment on an action without deciding it",
  description:
    "For everyone who can vote on the action, who started the run, or who has the permission action/action in the team. " +
    "Sends the event `dev.millrace.action.commented`.",
  tag: "Actions",
  permission: "action/action",
  entrance: "action/read",
  transaction: "write",
  params,
  body: ref(actionCommentRequest),
  response: ref(actionSchema),
  async handle({ db, team, params: { actionId }, body, principal, audit }) {
    const comments = body.comments.trim();
    const action = await comment(db, team.id, actionId, voterOf(principal, team.id), comments);
    audit({ kind: "action", id: action.id, name: action.taskName, after: { comments } });
    return readNow(db, team, action.id);
  },
});

export const delegateAction = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/action/:actionId/delegate",
  summary: "Delegate your vote on an action",
  description:
    "Gives the vote of a person who can vote to another person, or to an approver group if one approval is required. The delegate must be an editor or owner of the team, " +
    "or in one of its approver groups, and must not have started the run. Sends the event `dev.millrace.action.delegated`.",
  tag: "Actions",
  permission: "action/action",
  entrance: "action/read",
  transaction: "write",
  params,
  body: ref(actionDelegationRequest),
  response: ref(actionSchema),
  async handle({ db, team, params: { actionId }, body, principal, audit }) {
    const request = { user: body.user || null, group: body.group || null, comments: body.comments?.trim() || null };
    const { action, delegate: delegatedTo } = await delegate(db, team.id, actionId, voterOf(principal, team.id), request);
    const before = { delegateRefs: action.delegateIds, delegatorRefs: action.delegatorIds };
    const after = await readNow(db, team, action.id);
    const { delegateRefs, delegatorRefs } = after;
    audit({
      kind: "action",
      id: action.id,
      name: action.taskName,
      before,
      after: { delegatedTo, delegateRefs, delegatorRefs, comments: request.comments },
    });
    return after;
  },
});

async function readNow(db: Transaction, team: TeamScope, id: string) {
  const [row] = await listActionsById(db, team.id, [id]);
  return readWholeAction(db, team, row!);
}
