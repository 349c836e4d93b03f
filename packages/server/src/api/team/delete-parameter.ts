import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { maskParams } from "../../core/parameter/secret-params.ts";
import { holdTeam } from "../../domain/team/hold-team.ts";
import { updateTeam } from "../../store/team/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamParameter } from "../team-path.ts";

export const deleteTeamParameter = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/parameters/:name",
  summary: "Delete a parameter of a team",
  tag: "Teams",
  permission: "team/delete",
  transaction: "write",
  params: Type.Object({ team: teamParameter, name: Type.String({ description: "Name of the parameter" }) }),
  response: null,
  async handle({ db, team, params, audit }) {
    const row = await holdTeam(db, team);
    const parameters = row.parameters.filter(({ name }) => name !== params.name);
    if (parameters.length === row.parameters.length) throw new AppError("PARAMS_INVALID_REFERENCE", [params.name]);
    await updateTeam(db, team.id, { ...row, parameters });
    audit({ kind: "parameter", name: params.name, before: maskParams(row.parameters.filter(({ name }) => name === params.name))[0] });
  },
});
