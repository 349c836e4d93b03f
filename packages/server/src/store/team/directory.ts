import type { TeamStatus } from "@millrace/contract/team/team.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";

/**
 * Finds the team of an object that is known only by its name or id: the few lookups that can't have the team in their condition. The result
 * must still be checked against the caller's rights in that team.
 */

export interface TeamReference {
  id: string;
  name: string;
  displayName: string;
  status: TeamStatus;
}

/** By name or id. Team names never have the form of an id. */
export async function findTeamReference(db: Queryable, nameOrId: string): Promise<TeamReference | undefined> {
  const [row] = isId(nameOrId)
    ? await db<TeamReference[]>`
        select id, name, display_name as "displayName", status from team where id = ${nameOrId} and deleted_at is null`
    : await db<TeamReference[]>`
        select id, name, display_name as "displayName", status from team where name = ${nameOrId.toLowerCase()} and deleted_at is null`;
  return row;
}

/** Ids of teams, by the requested names (in lower case) and ids. */
export async function findTeamIds(db: Queryable, namesOrIds: readonly string[]): Promise<Map<string, string>> {
  const lower = namesOrIds.map((reference) => reference.toLowerCase());
  const rows = await db<{ id: string; name: string }[]>`
    select id, name from team where deleted_at is null and (name = any(${lower}) or id = any(${lower.filter(isId)}::uuid[]))`;
  return new Map(rows.flatMap(({ id, name }) => [[name, id] as const, [id, id] as const]));
}

export interface WorkflowReference {
  teamId: string;
  id: string;
  name: string;
}

/** The team of a workflow that is known by its id. */
export async function findWorkflowById(db: Queryable, workflowId: string): Promise<WorkflowReference | undefined> {
  const [row] = await db<WorkflowReference[]>`
    select w.team_id as "teamId", w.id, w.name from workflow w join team on team.id = w.team_id
    where w.id = ${workflowId} and w.deleted_at is null and team.deleted_at is null`;
  return row;
}

/** The team of a task run that is known by its id alone (log). */
export async function findTeamOfTaskRun(db: Queryable, taskRunId: string): Promise<string | undefined> {
  const [row] = await db<{ teamId: string }[]>`select team_id as "teamId" from task_run where id = ${taskRunId}`;
  return row?.teamId;
}

/** The team of a run that is known by its id alone (callback). */
export async function findTeamOfRun(db: Queryable, runId: string): Promise<string | undefined> {
  const [row] = await db<{ teamId: string }[]>`select team_id as "teamId" from run where id = ${runId}`;
  return row?.teamId;
}

/** The team of an action that is known by its id alone (a button in the chat). */
export async function findTeamOfAction(db: Queryable, actionId: string): Promise<string | undefined> {
  const [row] = await db<{ teamId: string }[]>`select team_id as "teamId" from action where id = ${actionId}`;
  return row?.teamId;
}

/** Of those teams, by name. Doesn't check the rights of the caller. */
export async function listTeamNames(db: Queryable, ids: readonly string[]): Promise<{ id: string; name: string; displayName: string }[]> {
  if (ids.length === 0) return [];
  return db<{ id: string; name: string; displayName: string }[]>`
    select id, name, display_name as "displayName" from team where id = any(${[...ids]}::uuid[]) and deleted_at is null order by name`;
}
