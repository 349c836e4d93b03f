import { team as teamSchema } from "@millrace/contract/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import { findTeam } from "../../store/team/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { viewTeam } from "./team.view.ts";

export const getTeam = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team",
  summary: "Read a team",
  tag: "Teams",
  permission: "team/read",
  transaction: "read",
  params: teamPath,
  response: teamSchema,
  async handle({ db, team, services }) {
    const row = await findTeam(db, team.id);
    if (row === undefined) throw new AppError("TEAM_INVALID_REF", [team.name]);
    return viewTeam(db, services.runs.durations, row);
  },
});
