import type { AbstractParam } from "@millrace/contract/common.ts";
import type { RetentionDays } from "@millrace/contract/retention.ts";
import { type QuotaName, quotaNames } from "@millrace/contract/team/quota.ts";
import type { TeamStatus } from "@millrace/contract/team/team.ts";
import type { QuotaOverrides } from "../../core/team/quota.ts";
import type { Queryable } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";

export interface TeamRow extends QuotaOverrides {
  id: string;
  name: string;
  displayName: string;
  status: TeamStatus;
  type: string | null;
  externalRef: string | null;
  labels: Record<string, string>;
  /** Values of secrets are encrypted. */
  parameters: AbstractParam[];
  /** Its tasks may use the network of the machine, if the instance allows it. */
  allowHostNetwork: boolean;
  allowPrivileged: boolean;
  /** The team's own retention, in days. */
  retention: RetentionDays;
  createdAt: Date;
}

/** For other statements that return teams; the table is named `team`. */
export const teamColumns = (db: Queryable) => db`
  team.id, team.name, team.display_name as "displayName", team.status, team.type, team.external_ref as "externalRef", team.labels,
  team.parameters, team.allows_host_network as "allowHostNetwork", team.allows_privileged as "allowPrivileged", team.retention, team.created_at as "createdAt", team.max_workflow_count as "maxWorkflowCount",
  team.max_workflow_run_monthly as "maxWorkflowRunMonthly", team.max_workflow_storage as "maxWorkflowStorage",
  team.max_workflow_run_storage as "maxWorkflowRunStorage", team.max_workflow_run_duration as "maxWorkflowRunDuration",
  team.max_concurrent_runs as "maxConcurrentRuns", team.max_waiting_runs as "maxWaitingRuns"`;

export async function findTeam(db: Queryable, teamId: string): Promise<TeamRow | undefined> {
  const [row] = await db<TeamRow[]>`select ${teamColumns(db)} from team where id = ${teamId} and deleted_at is null`;
  return row;
}

/**
 * The team, locked until the transaction ends: changes of it, of its members and of its approver groups come one after the
 * other. Not the strongest lock, so that rows that refer to the team can be inserted meanwhile.
 */
export async function lockTeam(db: Queryable, teamId: string): Promise<TeamRow | undefined> {
  const [row] = await db<TeamRow[]>`
    select ${teamColumns(db)} from team where id = ${teamId} and deleted_at is null for no key update`;
  return row;
}

/**
 * Sets of documents are applied one at a time to a team, or to the instance: two at once would wait for each other's rows all the way.
 * @param teamId null: the instance
 * @returns false while another transaction does that
 */
export async function tryLockApply(db: Queryable, teamId: string | null): Promise<boolean> {
  const [row] = await db<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext(${`millrace.apply.${teamId ?? ""}`})) as "isLocked"`;
  return row!.isLocked;
}

/** What can be set of a team. */
export type TeamFields = Omit<TeamRow, "id" | "createdAt">;

/** Undefined if the name is taken: through the unique index, so two concurrent creations can't both get it. */
export async function insertTeam(db: Queryable, team: TeamFields): Promise<{ id: string } | undefined> {
  const quota = quotaValues(team);
  const [row] = await db<{ id: string }[]>`
    insert into team (name, display_name, status, type, external_ref, labels, parameters, allows_host_network, allows_privileged, retention, max_workflow_count,
      max_workflow_run_monthly, max_workflow_storage, max_workflow_run_storage, max_workflow_run_duration, max_concurrent_runs,
      max_waiting_runs)
    values (${team.name}, ${team.displayName}, ${team.status}, ${team.type}, ${team.externalRef}, ${db.json(team.labels)},
      ${JSON.stringify(team.parameters)}::json, ${team.allowHostNetwork}, ${team.allowPrivileged}, ${JSON.stringify(team.retention)}::jsonb, ${quota.maxWorkflowCount}, ${quota.maxWorkflowRunMonthly}, ${quota.maxWorkflowStorage},
      ${quota.maxWorkflowRunStorage}, ${quota.maxWorkflowRunDuration}, ${quota.maxConcurrentRuns},
      ${quota.maxWaitingRuns})
    on conflict (name) where deleted_at is null do nothing
    returning id`;
  return row;
}

/**
 * Writes all fields of a team that was locked and read before. False if its new name is taken: the unique index decides, so two concurrent
 * renames can't both get it; the transaction can then only be rolled back.
 */
export async function updateTeam(db: Queryable, teamId: string, team: TeamFields): Promise<boolean> {
  const quota = quotaValues(team);
  return writesUniqueName(db`
    update team set name = ${team.name}, display_name = ${team.displayName}, status = ${team.status}, type = ${team.type},
      external_ref = ${team.externalRef}, labels = ${db.json(team.labels)}, parameters = ${JSON.stringify(team.parameters)}::json,
      allows_host_network = ${team.allowHostNetwork}, allows_privileged = ${team.allowPrivileged}, retention = ${JSON.stringify(team.retention)}::jsonb,
      max_workflow_count = ${quota.maxWorkflowCount}, max_workflow_run_monthly = ${quota.maxWorkflowRunMonthly},
      max_workflow_storage = ${quota.maxWorkflowStorage}, max_workflow_run_storage = ${quota.maxWorkflowRunStorage},
      max_workflow_run_duration = ${quota.maxWorkflowRunDuration}, max_concurrent_runs = ${quota.maxConcurrentRuns},
      max_waiting_runs = ${quota.maxWaitingRuns}
    where id = ${teamId} and deleted_at is null`);
}

async function writesUniqueName(statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement;
    return true;
  } catch (error) {
    if (isUniqueViolation(error, "team_name")) return false;
    throw error;
  }
}

/** Hides the team at once; its rows are purged in the background. */
export async function hideTeam(db: Queryable, teamId: string): Promise<void> {
  await db`update team set deleted_at = (select db_now()) where id = ${teamId} and deleted_at is null`;
}

export async function isTeamNameTaken(db: Queryable, name: string): Promise<boolean> {
  const rows = await db`select 1 as taken from team where name = ${name} and deleted_at is null`;
  return rows.length > 0;
}

function quotaValues(team: QuotaOverrides): Record<QuotaName, number | null> {
  return Object.fromEntries(quotaNames.map((name) => [name, team[name] ?? null])) as Record<QuotaName, number | null>;
}
