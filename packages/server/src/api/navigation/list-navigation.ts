import { ref } from "@millrace/contract/schema.ts";
import { navigation } from "@millrace/contract/system.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTeamReference } from "../../store/team/directory.ts";
import { defineEndpoint, type Principal, reply } from "../endpoint.ts";
import { viewNavigation } from "./navigation.view.ts";

export const listNavigation = defineEndpoint({
  method: "GET",
  path: "/api/v2/navigation",
  summary: "List the links of the user interface",
  description:
    "Only links that are enabled and that you can read. Without a team, the links of a team are disabled. Can be cached for a minute.",
  tag: "System",
  permission: "signed-in",
  transaction: "none",
  query: Type.Object({ team: Type.Optional(Type.String({ description: "Name or ID of the team that is looked at" })) }),
  response: Type.Array(ref(navigation)),
  async handle({ db, query, principal, services }) {
    const team = query.team ? await findVisibleTeam(db, principal, query.team) : undefined;
    const { features } = await services.runs.settings.load(db);
    return reply({
      headers: { "cache-control": "private, max-age=60", vary: "authorization, x-access-token, cookie" },
      body: viewNavigation(principal, features, team),
    });
  },
});

async function findVisibleTeam(db: Queryable, principal: Principal, reference: string) {
  const team = await findTeamReference(db, reference);
  if (team === undefined || !canSeeTeam(principal, team.id)) throw new AppError("TEAM_INVALID_REF", [reference]);
  return team;
}
