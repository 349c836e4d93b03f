import { team, teamRequest } from "@millrace/contract/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import { createTeam as create } from "../../domain/team/create-team.ts";
import { isPerson } from "../../policy/allows.ts";
import { mayCreateTeam } from "../../policy/teams.ts";
import { findTeam } from "../../store/team/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { presentTeam } from "../present-body.ts";
import { readTeamRequest, requireGiven, requireNetworkRight } from "./read-team-request.ts";
import { viewTeam } from "./team.view.ts";

export const createTeam = defineEndpoint({
  method: "POST",
  path: "/api/v2/team",
  summary: "Create a team",
  description: "The user who creates a team becomes its owner. A token that belongs to no user names the owners in `members`.",
  tag: "Teams",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  body: teamRequest,
  presentBody: presentTeam,
  response: team,
  async handle({ db, body, principal, keyring, services, audit }) {
    if (!mayCreateTeam(principal)) throw new AppError("PERMISSION_DENIED", ["this token can't create teams; it lacks team/write"]);
    const wanted = await readTeamRequest(db, body, principal);
    requireNetworkRight(principal, wanted, false);
    const named = { name: requireGiven("name", wanted.name), displayName: requireGiven("displayName", wanted.displayName) };
    const made = await create(db, { ...wanted, ...named }, keyring, isPerson(principal) ? principal.userId : undefined);
    const view = await viewTeam(db, services.runs.durations, (await findTeam(db, made.id))!);
    audit({ kind: "team", id: view.id, name: view.name, after: view });
    return view;
  },
});
