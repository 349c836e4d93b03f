// Secrets of a team and of the instance that runs get only if people have approved the version of the workflow.
import type { Queryable } from "../database/database.ts";
import type { SecretLayer } from "../run/submissions.ts";
import { isNoTry } from "../workflow/hidden-workflows.ts";
import type { ProtectionRow } from "../workflow/protections.ts";

export interface SecretProtectionRow extends ProtectionRow {
  name: string;
}

/** By name. */
export async function listSecretProtections(db: Queryable, teamId: string): Promise<SecretProtectionRow[]> {
  return db<SecretProtectionRow[]>`
    select s.name, s.approver_group_id as "approverGroupId", g.name as "approverGroupName", s.approvals
    from secret_protection s join approver_group g on g.team_id = s.team_id and g.id = s.approver_group_id
    where s.team_id = ${teamId} order by s.name`;
}

export async function findSecretProtection(db: Queryable, teamId: string, name: string): Promise<SecretProtectionRow | undefined> {
  return (await listSecretProtections(db, teamId)).find((row) => row.name === name);
}

/** Under the lock of the team, like the next one. */
export async function setSecretProtection(
  db: Queryable,
  teamId: string,
  { name, approverGroupId, approvals }: Omit<SecretProtectionRow, "approverGroupName">,
): Promise<void> {
  await db`
    insert into secret_protection (team_id, name, approver_group_id, approvals)
    values (${teamId}, ${name}, ${approverGroupId}, ${approvals})
    on conflict (team_id, name) do update set approver_group_id = excluded.approver_group_id, approvals = excluded.approvals`;
}

/** Including approvals for it. */
export async function deleteSecretProtection(db: Queryable, teamId: string, name: string): Promise<void> {
  await db`delete from secret_protection where team_id = ${teamId} and name = ${name}`;
}

/** Approves the secrets for the version, and for what is nested in it. Secrets that are no longer protected are left out. */
export async function approveSecrets(
  db: Queryable,
  teamId: string,
  workflowVersionId: string,
  secrets: readonly NamedLayer[],
): Promise<void> {
  const namesOf = (layer: SecretLayer) => secrets.flatMap((one) => (one.layer === layer ? [one.name] : []));
  const [team, global] = [namesOf("team"), namesOf("global")];
  if (team.length > 0)
    await db`
      ${withParts(db, teamId, workflowVersionId)}
      insert into secret_approval (team_id, workflow_version_id, name)
      select s.team_id, part.id, s.name from part cross join secret_protection s
      where s.team_id = ${teamId} and s.name = any(${team})
      on conflict do nothing`;
  if (global.length > 0)
    await db`
      ${withParts(db, teamId, workflowVersionId)}
      insert into global_secret_approval (team_id, workflow_version_id, name)
      select ${teamId}::uuid, part.id, s.name from part cross join global_secret_protection s where s.name = any(${global})
      on conflict do nothing`;
}

export interface NamedLayer {
  name: string;
  layer: SecretLayer;
}

/** A version and what is nested in it, as `part`. */
const withParts = (db: Queryable, teamId: string, workflowVersionId: string) => db`
  with recursive part as (
    select v.id, v.nesting from workflow_version v where v.team_id = ${teamId} and v.id = ${workflowVersionId}
    union all
    select n.id, n.nesting from part cross join json_each(part.nesting -> 'inner') as i (task, ref)
      join workflow_version n on n.team_id = ${teamId} and n.workflow_id = (i.ref ->> 'workflowId')::uuid
        and n.version = (i.ref ->> 'version')::int and n.replaced_at is null
  )`;

/** The latest version of a workflow that may use a secret, judging by its text; includes the names of all its tasks' versions. */
export interface PossibleUse {
  workflowId: string;
  workflowName: string;
  version: number;
  workflowVersionId: string;
  taskVersionIds: string[];
  isApproved: boolean;
}

/**
 * Workflows whose latest version has the name of the secret somewhere in its text or in that of its tasks, or takes a secret of a name that is
 * a reference. Reads all documents of the team: for an owner who views it.
 */
export async function listPossibleUses(db: Queryable, teamId: string, { name, layer }: NamedLayer): Promise<PossibleUse[]> {
  const approvals = layer === "team" ? db`secret_approval` : db`global_secret_approval`;
  const text = JSON.stringify(name).slice(1, -1);
  // A step may also name the secret through a reference.
  const words = [text, "secretKeyRef", "secretRef"].map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  return db<PossibleUse[]>`
    select w.id as "workflowId", w.name as "workflowName", v.version, v.id as "workflowVersionId",
      array(select u.task_version_id from workflow_version_task u
            where u.team_id = v.team_id and u.workflow_version_id = v.id order by u.task_version_id) as "taskVersionIds",
      exists (select from ${approvals} a where a.team_id = v.team_id and a.workflow_version_id = v.id and a.name = ${name}) as "isApproved"
    from workflow w
      join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.version = w.latest_version and v.replaced_at is null
    where w.team_id = ${teamId} and w.deleted_at is null and ${isNoTry(db)}
      and (v.document::text like any(${words}) or exists (
        select from workflow_version_task u join task_version d on d.id = u.task_version_id
        where u.team_id = v.team_id and u.workflow_version_id = v.id and d.spec::text like any(${words})))
    order by w.name`;
}
