import { actionRequest } from "@millrace/contract/action.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { decideActions as decide } from "../../domain/action/decide-actions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { publishChanges } from "../run/publish-changes.ts";
import { teamPath } from "../team-path.ts";
import { voterOf } from "./voter-of.ts";

export const decideActions = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/action",
  summary: "Vote on actions",
  description:
    "Approves or rejects. All votes are cast or none: if one is refused, the response has the status of the first refused vote and an entry in `errors` for each, " +
    "with its index as path. A person or token has one vote. With an approver group only its members can vote, in any role; " +
    "without a group you need action/action. A task can exclude the person who started the run.",
  tag: "Actions",
  permission: "action/action",
  entrance: "action/read",
  transaction: "write",
  params: teamPath,
  body: Type.Array(ref(actionRequest), {
    maxItems: 1000,
    examples: [[{ id: "…", approved: true, comments: "Looks good" }]],
  }),
  response: null,
  async handle({ db, team, body, principal, services, audit, afterCommit }) {
    const votes = body.map(({ id, approved, comments }) => ({
      actionId: id,
      approved: approved === true,
      comments: comments?.trim() || null,
    }));
    const { cast, changes } = await decide(db, services.runs, team.id, voterOf(principal, team.id), votes);
    for (const { action, vote, decision } of cast) {
      const { approved, comments } = vote;
      audit({ kind: "action", id: action.id, name: action.taskName, after: { approved, comments, status: decision ?? action.status } });
    }
    afterCommit(() => publishChanges(services, changes));
  },
});
