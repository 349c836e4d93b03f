import type { Queryable } from "../database/database.ts";
import { isNoTry } from "./hidden-workflows.ts";

/** Workflows whose new versions need an approval: by a setting of their own, or of the team for all of its workflows. */

export interface ProtectionRow {
  approverGroupId: string;
  approverGroupName: string;
  /** Number of required approvals. */
  approvals: number;
}

/** The one that applies: of the workflow, or else of the team. */
export async function findProtectionInForce(
  db: Queryable,
  teamId: string,
  workflowId: string,
): Promise<(ProtectionRow & { isOfTeam: boolean }) | undefined> {
  const own = await findProtection(db, teamId, workflowId);
  if (own) return { ...own, isOfTeam: false };
  const shared = await findTeamProtection(db, teamId);
  return shared && { ...shared, isOfTeam: true };
}

export async function findTeamProtection(db: Queryable, teamId: string): Promise<ProtectionRow | undefined> {
  const [row] = await db<ProtectionRow[]>`
    select p.approver_group_id as "approverGroupId", g.name as "approverGroupName", p.approvals
    from team_protection p join approver_group g on g.team_id = p.team_id and g.id = p.approver_group_id
    where p.team_id = ${teamId}`;
  return row;
}

/** Under the lock of the team, like the next one. */
export async function setTeamProtection(
  db: Queryable,
  teamId: string,
  { approverGroupId, approvals }: Pick<ProtectionRow, "approverGroupId" | "approvals">,
): Promise<void> {
  await db`
    insert into team_protection (team_id, approver_group_id, approvals) values (${teamId}, ${approverGroupId}, ${approvals})
    on conflict (team_id) do update set approver_group_id = excluded.approver_group_id, approvals = excluded.approvals`;
}

export async function deleteTeamProtection(db: Queryable, teamId: string): Promise<void> {
  await db`delete from team_protection where team_id = ${teamId}`;
}

/** Its own. */
export async function findProtection(db: Queryable, teamId: string, workflowId: string): Promise<ProtectionRow | undefined> {
  const [row] = await db<ProtectionRow[]>`
    select p.approver_group_id as "approverGroupId", g.name as "approverGroupName", p.approvals
    from workflow_protection p join approver_group g on g.team_id = p.team_id and g.id = p.approver_group_id
    where p.team_id = ${teamId} and p.workflow_id = ${workflowId}`;
  return row;
}

export interface ProtectedWorkflow extends ProtectionRow {
  workflowId: string;
  name: string;
}

/** Workflows with a protection of their own, by name. */
export async function listOwnProtections(db: Queryable, teamId: string): Promise<ProtectedWorkflow[]> {
  return db<ProtectedWorkflow[]>`
    select w.id as "workflowId", w.name, p.approver_group_id as "approverGroupId", g.name as "approverGroupName", p.approvals
    from workflow_protection p
      join workflow w on w.team_id = p.team_id and w.id = p.workflow_id and w.deleted_at is null
      join approver_group g on g.team_id = p.team_id and g.id = p.approver_group_id
    where p.team_id = ${teamId} and ${isNoTry(db)} order by w.name`;
}

/** Under the lock of the workflow, like all that follow. */
export async function setProtection(
  db: Queryable,
  teamId: string,
  workflowId: string,
  { approverGroupId, approvals }: Pick<ProtectionRow, "approverGroupId" | "approvals">,
): Promise<void> {
  await db`
    insert into workflow_protection (team_id, workflow_id, approver_group_id, approvals)
    values (${teamId}, ${workflowId}, ${approverGroupId}, ${approvals})
    on conflict (team_id, workflow_id) do update set approver_group_id = excluded.approver_group_id, approvals = excluded.approvals`;
}

export async function deleteProtection(db: Queryable, teamId: string, workflowId: string): Promise<void> {
  await db`delete from workflow_protection where team_id = ${teamId} and workflow_id = ${workflowId}`;
}

/** What these groups protect, in words. */
export async function listProtectedBy(db: Queryable, teamId: string, groupIds: readonly string[]): Promise<string[]> {
  const ids = [...groupIds];
  const rows = await db<{ what: string }[]>`
    select 'all workflows of the team' as what, 1 as place, '' as name from team_protection
      where team_id = ${teamId} and approver_group_id = any(${ids}::uuid[])
    union all
    select 'workflow ' || w.name, 2, w.name from workflow_protection p join workflow w on w.team_id = p.team_id and w.id = p.workflow_id
      where p.team_id = ${teamId} and p.approver_group_id = any(${ids}::uuid[])
    union all
    select 'secret ' || name, 3, name from secret_protection where team_id = ${teamId} and approver_group_id = any(${ids}::uuid[])
    order by place, name`;
  return rows.map(({ what }) => what);
}

/** Names of the workflows that are protected, or approved for a protected secret, and have a version that uses that version of a task. */
export async function listProtectedUsing(db: Queryable, teamId: string, taskVersionId: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select distinct w.name from workflow_version_task u
      join workflow_version v on v.team_id = u.team_id and v.id = u.workflow_version_id
      join workflow w on w.team_id = v.team_id and w.id = v.workflow_id and w.deleted_at is null
    where u.team_id = ${teamId} and u.task_version_id = ${taskVersionId} and ${isNoTry(db)} and (
      exists (select from workflow_protection p where p.team_id = v.team_id and p.workflow_id = v.workflow_id)
      or exists (select from team_protection p where p.team_id = v.team_id)
      or exists (select from secret_approval a where a.team_id = v.team_id and a.workflow_version_id = v.id)
      or exists (select from global_secret_approval a where a.team_id = v.team_id and a.workflow_version_id = v.id))
    order by w.name`;
  return rows.map(({ name }) => name);
}
