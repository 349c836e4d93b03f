import type { OverviewRun, OverviewTeam } from "@millrace/contract/overview.ts";
import type { RecentRunRow, TeamCountsRow } from "../../store/team/overview.ts";
import type { TeamRow } from "../../store/team/teams.ts";
import { viewInitiator } from "../run/initiator.view.ts";

export function viewTeamCounts(teams: readonly TeamRow[], counts: readonly TeamCountsRow[]): OverviewTeam[] {
  const countsOf = new Map(counts.map((row) => [row.teamId, row]));
  return teams.map(({ id, name, displayName, status }) => {
    const { workflows = 0, members = 0, openActions = 0, runningRuns = 0 } = countsOf.get(id) ?? {};
    return { id, name, displayName, status, workflows, members, openActions, runningRuns };
  });
}

export function viewRecentRun(row: RecentRunRow, team: { name: string; displayName: string }): OverviewRun {
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
    ...viewInitiator(row.initiatedBy, row.initiatorName),
    creationDate: row.createdAt.toISOString(),
    ...(startedAt && { startTime: startedAt.toISOString() }),
    duration: startedAt && endedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : 0,
  };
}
