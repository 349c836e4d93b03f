import { type Overview, type OverviewRun, type OverviewTeam, overview } from "@millrace/contract/overview.ts";
import Type from "typebox";
import { allows, isPerson } from "../../policy/allows.ts";
import { mayOptIn, teamsReadBy } from "../../policy/teams.ts";
import { listVotableActions } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";
import { isSetupOpen } from "../../store/settings/setup.ts";
import { countOfTeams, listRecentRuns, type RecentRunRow, type TeamCountsRow } from "../../store/team/overview.ts";
import { queryTeamHeads, type TeamHead } from "../../store/team/team-query.ts";
import { ballotOf, viewAction } from "../action/action.view.ts";
import { defineEndpoint, type Permission, type Principal } from "../endpoint.ts";
import { viewInitiator } from "../run/run.view.ts";
import { readOnCall, viewHealth, viewOnCall } from "./on-call.view.ts";

const maxTeams = 100;

export const getOverview = defineEndpoint({
  method: "GET",
  path: "/api/v2/overview",
  summary: "Read the home page: teams, open actions, runs, failures, favourites, health",
  description:
    "Covers your teams. If you belong to none and can read all teams, it covers the first 100 by name. Only " +
    "actions that you can vote on are listed. Runs and actions that you can't read are left out.",
  tag: "System",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Number of entries of each list" }),
    mine: Type.Boolean({ default: false, description: "Only runs that you started" }),
  }),
  response: overview,
  async handle({ db, query: { limit, mine }, principal, services }): Promise<Overview> {
    const { rows: teams, total } = await findTeams(db, principal);
    const may = (permission: Permission) => teams.filter(({ id }) => allows(principal, permission, id)).map(({ id }) => id);
    const ids = teams.map(({ id }) => id);
    const isForSetup = isPerson(principal) && mayOptIn(principal);
    const runsOf = may("workflowrun/read");
    const [counts, actions, runs, isOpen] = await Promise.all([
      countOfTeams(db, ids),
      listVotableActions(db, may("action/read"), ballotOf(principal, ids), limit),
      listRecentRuns(db, runsOf, limit, mine ? principal.id : undefined),
      isForSetup ? isSetupOpen(db) : false,
    ]);
    const { alerts } = await services.runs.settings.load(db);
    const onCall = await readOnCall(
      db,
      { runs: runsOf, schedules: may("schedule/read"), workflows: may("workflow/read") },
      alerts,
      principal,
      limit,
    );
    const teamOf = new Map(teams.map((team) => [team.id, team]));
    const nameOf = (id: string) => teamOf.get(id)?.name ?? id;
    return {
      teams: viewTeamCounts(teams, counts),
      totalTeams: total,
      actions: actions.map((row) => viewAction(row, nameOf(row.teamId))),
      runs: runs.map((row) => viewRecentRun(row, { name: nameOf(row.teamId), displayName: teamOf.get(row.teamId)?.displayName ?? "" })),
      ...(isOpen && { setupOpen: true }),
      ...viewOnCall(onCall, nameOf),
      health: viewHealth(onCall.health, alerts.queueMinutes, services.outage?.current()?.kind),
    };
  },
});

async function findTeams(db: Queryable, principal: Principal): Promise<{ rows: TeamHead[]; total: number }> {
  const readable = teamsReadBy(principal);
  const own = [...principal.teams.keys()].filter((id) => readable === undefined || readable.includes(id));
  if (own.length === 0 && readable !== undefined) return { rows: [], total: 0 };
  const filter = { readable: own.length > 0 ? own : undefined, labels: {}, teams: undefined, statuses: undefined };
  return queryTeamHeads(db, filter, { limit: maxTeams, offset: 0, isDescending: false, sort: "name" });
}

function viewTeamCounts(teams: readonly TeamHead[], counts: readonly TeamCountsRow[]): OverviewTeam[] {
  const countsOf = new Map(counts.map((row) => [row.teamId, row]));
  return teams.map(({ id, name, displayName, status }) => {
    const { workflows = 0, members = 0, openActions = 0, runningRuns = 0 } = countsOf.get(id) ?? {};
    return { id, name, displayName, status, workflows, members, openActions, runningRuns };
  });
}

function viewRecentRun(row: RecentRunRow, team: { name: string; displayName: string }): OverviewRun {
  const { startedAt, endedAt } = row;
  return {
    id: row.id,
    teamName: team.name,
    teamDisplayName: team.displayName,
    workflowRef: row.workflowId,
    workflowName: row.workflowName,
    workflowDisplayName: row.workflowDisplayName,
    status: row.status,
    phase: row.phase,
    trigger: row.trigger,
    awaitingApproval: row.awaitingApproval,
    ...(row.waitKinds.length > 0 && { waitKinds: row.waitKinds }),
    ...viewInitiator(row.initiatedBy, row.initiatorName),
    creationDate: row.createdAt.toISOString(),
    ...(startedAt && { startTime: startedAt.toISOString() }),
    duration: startedAt && endedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : 0,
  };
}
