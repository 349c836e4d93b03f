import { teamNameCheckRequest } from "@millrace/contract/team.ts";
import Type from "typebox";
import { requireFreeTeamName, toTeamName } from "../../domain/team/team-name.ts";
import { defineEndpoint } from "../endpoint.ts";

export const validateTeamName = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/validate-name",
  summary: "Check whether a team name is available",
  description: "Returns the slug that the team would get; 422 if it is taken or reserved.",
  tag: "Teams",
  permission: "signed-in",
  transaction: "none",
  body: teamNameCheckRequest,
  response: Type.Object({ name: Type.String(), valid: Type.Boolean() }),
  async handle({ db, body }) {
    const name = toTeamName(body.name);
    await requireFreeTeamName(db, name);
    return { name, valid: true };
  },
});
