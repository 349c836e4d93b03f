import type { Queryable } from "../database/database.ts";

/** Workflows whose new versions wait for an approval. */

export interface ProtectionRow {
  approverGroupId: string;
  approverGroupName: string;
  /** How many have to approve. */
  approvals: number;
}

export async function findProtection(db: Queryable, teamId: string, workflowId: string): Promise<ProtectionRow | undefined> {
  const [row] = await db<ProtectionRow[]>`
    select p.approver_group_id as "approverGroupId", g.name as "approverGroupName", p.approvals
    from workflow_protection p join approver_group g on g.team_id = p.team_id and g.id = p.approver_group_id
    where p.team_id = ${teamId} and p.workflow_id = ${workflowId}`;
  return row;
}

/** Under the lock of the workflow, as all that follow. */
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

/** Names of workflows that one of these groups protects, by the id of the group. */
export async function listProtectedBy(db: Queryable, teamId: string, groupIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db<{ groupId: string; names: string[] }[]>`
    select p.approver_group_id as "groupId", array_agg(w.name order by w.name) as names
    from workflow_protection p join workflow w on w.team_id = p.team_id and w.id = p.workflow_id
    where p.team_id = ${teamId} and p.approver_group_id = any(${[...groupIds]}::uuid[])
    group by p.approver_group_id`;
  return new Map(rows.map(({ groupId, names }) => [groupId, names]));
}

/** Names of the protected workflows of which some version uses that version of a task. */
export async function listProtectedUsing(db: Queryable, teamId: string, taskVersionId: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select distinct w.name from workflow_version_task u
      join workflow_version v on v.team_id = u.team_id and v.id = u.workflow_version_id
      join workflow_protection p on p.team_id = v.team_id and p.workflow_id = v.workflow_id
      join workflow w on w.team_id = v.team_id and w.id = v.workflow_id and w.deleted_at is null
    where u.team_id = ${teamId} and u.task_version_id = ${taskVersionId} order by w.name`;
  return rows.map(({ name }) => name);
}
