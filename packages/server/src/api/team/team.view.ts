import { type CurrentQuotas, quotaNames } from "@millrace/contract/team/quota.ts";
import { type ApproverGroup, type Team, type TeamMember, teamLimits } from "@millrace/contract/team/team.ts";
import { maskParams } from "../../core/parameter/secret-params.ts";
import { effectiveQuotas, type QuotaOverrides, retentionInForce } from "../../core/team/quota.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readSettings } from "../../store/settings/settings.ts";
import { type ApproverGroupRow, countMembers, listApproverGroups, listFirstMembers, type MemberRow } from "../../store/team/members.ts";
import { listRunDurations, listTeamUsage, type RunDurations, type TeamRow, type TeamUsageRow } from "../../store/team/teams.ts";

/**
 * Everything that a response shows of these teams, loaded for the whole page at once: as many statements for one team as for a thousand.
 */
export async function viewTeams(db: Queryable, teams: readonly TeamRow[]): Promise<Team[]> {
  if (teams.length === 0) return [];
  const ids = teams.map(({ id }) => id);
  const [members, memberCounts, groups, usage, durations, settings] = await Promise.all([
    listFirstMembers(db, ids, teamLimits.membersShown),
    countMembers(db, ids),
    listApproverGroups(db, ids),
    listTeamUsage(db, ids),
    listRunDurations(db, ids),
    readSettings(db),
  ]);
  const membersOf = groupBy(members, ({ teamId }) => teamId);
  const groupsOf = groupBy(groups, ({ teamId }) => teamId);
  const usageOf = new Map(usage.map((row) => [row.teamId, row]));
  const durationsOf = new Map(durations.map((row) => [row.teamId, row]));
  return teams.map((team) => ({
    id: team.id,
    name: team.name,
    displayName: team.displayName,
    creationDate: team.createdAt.toISOString(),
    status: team.status,
    externalRef: team.externalRef,
    labels: team.labels,
    parameters: maskParams(team.parameters),
    allowHostNetwork: team.allowHostNetwork,
    allowPrivileged: team.allowPrivileged,
    retention: team.retention,
    retentionInForce: retentionInForce(settings.retention, team.retention),
    quotas: viewQuotas(team, settings.quotas, { ...usageOf.get(team.id)!, ...durationsOf.get(team.id)! }),
    members: (membersOf.get(team.id) ?? []).map(viewMember),
    memberCount: memberCounts.get(team.id) ?? 0,
    workflows: [],
    approverGroups: (groupsOf.get(team.id) ?? []).map(viewApproverGroup),
  }));
}

export async function viewTeam(db: Queryable, team: TeamRow): Promise<Team> {
  const [view] = await viewTeams(db, [team]);
  return view!;
}

function viewQuotas(team: QuotaOverrides, defaults: QuotaOverrides, usage: TeamUsageRow & RunDurations): CurrentQuotas {
  const own = Object.fromEntries(quotaNames.map((name) => [name, team[name]]));
  return {
    ...effectiveQuotas(own, defaults),
    currentWorkflowCount: usage.workflowCount,
    currentRuns: usage.runs,
    currentConcurrentRuns: usage.concurrentRuns,
    currentWaitingRuns: usage.waitingRuns,
    currentRunTotalDuration: usage.totalDurationMs,
    currentRunMedianDuration: usage.medianDurationMs,
    monthlyResetDate: usage.resetsAt.toISOString(),
  };
}

export function viewMember({ userId, email, name, role }: MemberRow): TeamMember {
  return { id: userId, email, ...(name !== null && name !== "" && { name }), role };
}

export function viewApproverGroup({ id, name, createdAt, approvers }: ApproverGroupRow): ApproverGroup {
  return {
    id,
    name,
    creationDate: createdAt.toISOString(),
    approvers: approvers.map(({ name, ...rest }) => ({ ...rest, ...(name && { name }) })),
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
