import { pageTeam, teamStatuses } from "@millrace/contract/team.ts";
import Type from "typebox";
import { teamsReadBy } from "../../policy/teams.ts";
import { queryTeams as find } from "../../store/team/team-query.ts";
import { defineEndpoint } from "../endpoint.ts";
import { labels, list, listOf, order, pageParameters, search, toLabelFilter } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewTeams } from "./team.view.ts";

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
  async handle({ db, query, principal, services }) {
    const { limit, page, teams, statuses, search, order, sort } = query;
    const filter = { readable: teamsReadBy(principal), labels: toLabelFilter(query.labels), teams, statuses, search };
    const { rows, total } = await find(db, filter, { limit, offset: limit * page, isDescending: order === "DESC", sort });
    return viewPage(await viewTeams(db, services.runs.durations, rows), { limit, page, total, sorted: true });
  },
});
