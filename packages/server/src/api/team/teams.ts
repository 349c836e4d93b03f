import { pageTeam, teamNameCheckRequest, teamRequest, team as teamSchema, teamStatuses } from "@millrace/contract/team/team.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { maskParams } from "../../core/parameter/secret-params.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { holdTeam } from "../../domain/team/change-team.ts";
import { requireFreeTeamName, toTeamName } from "../../domain/team/team-name.ts";
import { deleteTeam as remove } from "../../domain/team/teams.ts";
import { keepProtectedSecrets } from "../../domain/workflow/publish/protect-secret.ts";
import { teamsReadBy } from "../../policy/teams.ts";
import { listMembers } from "../../store/team/members.ts";
import { queryTeams as find } from "../../store/team/team-query.ts";
import { findTeam, updateTeam } from "../../store/team/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { presentTeam } from "../present-body.ts";
import {
  forceParameter,
  labels,
  list,
  listOf,
  order,
  pageParameters,
  search,
  teamParameter,
  teamPath,
  toLabelFilter,
} from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { saveNewTeam, saveTeam, withMembers } from "./save-team.ts";
import { viewTeam, viewTeams } from "./team.view.ts";

/** The most characters of parameters of the teams of one page. */
const maxPageBytes = 32 * 1024 * 1024;

export const queryTeams = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/query",
  summary: "Find teams",
  tag: "Teams",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({
    ...pageParameters,
    labels,
    statuses: listOf(teamStatuses, "Statuses; default all"),
    teams: list("Names or IDs of teams; default all"),
    search: search("the name or the display name"),
    order: order("DESC"),
    sort: Type.String({ default: "name", description: "name, displayName, status or creationDate; any other counts as name" }),
  }),
  response: pageTeam,
  async handle({ db, query, principal }) {
    const { limit, page, teams, statuses, search, order, sort } = query;
    const filter = { readable: teamsReadBy(principal), labels: toLabelFilter(query.labels), teams, statuses, search };
    const found = await find(db, filter, { limit, offset: limit * page, isDescending: order === "DESC", sort, maxBytes: maxPageBytes });
    if (found === undefined)
      throw new AppError("QUERY_INVALID_FILTERS", [
        "limit",
        `these teams have more than ${maxPageBytes} bytes of parameters; ask for fewer`,
      ]);
    const { rows, total } = found;
    return viewPage(await viewTeams(db, rows), { limit, page, total, sorted: true });
  },
});

export const getTeam = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team",
  summary: "Read a team",
  tag: "Teams",
  permission: "team/read",
  transaction: "read",
  params: teamPath,
  response: teamSchema,
  async handle({ db, team }) {
    const row = await findTeam(db, team.id);
    if (row === undefined) throw new AppError("TEAM_INVALID_REF", [team.name]);
    return viewTeam(db, row);
  },
});

export const createTeam = defineEndpoint({
  method: "POST",
  path: "/api/v2/team",
  summary: "Create a team",
  description: "The user who creates a team becomes its owner. A token that belongs to no user names the owners in `members`.",
  tag: "Teams",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  documentKinds: ["Team"],
  body: teamRequest,
  presentBody: presentTeam,
  response: teamSchema,
  handle: (context) => saveNewTeam(context, context.body),
});

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

export const changeTeam = defineEndpoint({
  method: "PATCH",
  path: "/api/v2/team/:team",
  summary: "Change a team",
  description:
    "Members that are left out don't change. Labels are merged (null removes one); parameters, team members and approver groups are added, or replaced by name or person. " +
    "You can't assign or remove a role with more permissions than yours. Approver groups need team/grant, retention needs team/delete. Only an administrator can set quotas above the instance's default.",
  tag: "Teams",
  permission: "team/write",
  transaction: "write",
  changesRights: true,
  params: teamPath,
  documentKinds: ["Team"],
  body: teamRequest,
  presentBody: presentTeam,
  response: teamSchema,
  async handle(context) {
    const { team, body, audit } = context;
    const { view, before, after } = await saveTeam(context, team, body);
    audit({ kind: "team", id: team.id, name: view.name, before, after });
    return view;
  },
});

export const deleteTeam = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team",
  summary: "Delete a team",
  description:
    "Deletes the team, everything in it and its tokens at once, and cancels its runs; the rows are purged in the background. With `force=false`, 409 while there are open runs.",
  tag: "Teams",
  permission: "team/delete",
  transaction: "write",
  changesRights: true,
  params: teamPath,
  query: Type.Object({ force: forceParameter }),
  response: null,
  async handle({ db, team, query, principalUnderLock, services, audit, afterCommit }) {
    const row = await holdTeam(db, team);
    await principalUnderLock();
    const before = withMembers(await viewTeam(db, row), await listMembers(db, team.id));
    await remove(db, { id: team.id, name: before.name }, query.force);
    audit({ kind: "team", id: team.id, name: team.name, before });
    afterCommit(() => services.bus.wake(channels.engine));
  },
});

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
    await keepProtectedSecrets(db, team.id, parameters);
    await updateTeam(db, team.id, { ...row, parameters });
    audit({ kind: "parameter", name: params.name, before: maskParams(row.parameters.filter(({ name }) => name === params.name))[0] });
  },
});
