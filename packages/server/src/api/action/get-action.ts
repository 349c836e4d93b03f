import { action as actionSchema } from "@millrace/contract/action.ts";
import Type from "typebox";
import { missingHistory } from "../../domain/history/removed-history.ts";
import { listActionsById } from "../../store/action/actions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamParameter } from "../team-path.ts";
import { viewAction } from "./action.view.ts";

export const getAction = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/action/:actionId",
  summary: "Read an action with its votes",
  tag: "Actions",
  permission: "action/read",
  transaction: "read",
  params: Type.Object({ team: teamParameter, actionId: Type.String({ description: "ID of the action" }) }),
  response: actionSchema,
  async handle({ db, team, params }) {
    const [row] = await listActionsById(db, team.id, [params.actionId]);
    if (row === undefined) throw await missingHistory(db, "ACTION_INVALID_REF", params.actionId, team.id);
    return viewAction(row, team.name);
  },
});
