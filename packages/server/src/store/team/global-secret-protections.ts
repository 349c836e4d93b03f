import type { Queryable } from "../database/database.ts";

/**
 * Protected secrets of the instance. An approver group belongs to a team, so the protection has only its name: in each team, the group with
 * that name approves.
 */

export interface GlobalSecretProtection {
  name: string;
  approverGroupName: string;
  /** Number of required approvals. */
  approvals: number;
}

export async function findGlobalSecretProtection(db: Queryable, name: string): Promise<GlobalSecretProtection | undefined> {
  const [row] = await db<GlobalSecretProtection[]>`
    select name, approver_group as "approverGroupName", approvals from global_secret_protection where name = ${name}`;
  return row;
}

/** By name. */
export async function listGlobalSecretProtections(db: Queryable): Promise<GlobalSecretProtection[]> {
  return db<GlobalSecretProtection[]>`
    select name, approver_group as "approverGroupName", approvals from global_secret_protection order by name`;
}

/** Under the lock of the parameter, as the next one. */
export async function setGlobalSecretProtection(
  db: Queryable,
  { name, approverGroupName, approvals }: GlobalSecretProtection,
): Promise<void> {
  await db`
    insert into global_secret_protection (name, approver_group, approvals) values (${name}, ${approverGroupName}, ${approvals})
    on conflict (name) do update set approver_group = excluded.approver_group, approvals = excluded.approvals`;
}

/** Including approvals for it, in all teams. */
export async function deleteGlobalSecretProtection(db: Queryable, name: string): Promise<void> {
  await db`delete from global_secret_protection where name = ${name}`;
}

/** As a team sees it. */
export interface GlobalProtectionOfTeam extends GlobalSecretProtection {
  /** Null: the team has no group of that name. */
  approverGroupId: string | null;
  /** Members of that group. */
  members: number;
  hasShortName: boolean;
}

/** By name, of the secrets that the team may use. */
export async function listGlobalProtectionsOf(db: Queryable, teamId: string): Promise<GlobalProtectionOfTeam[]> {
  return db<GlobalProtectionOfTeam[]>`
    select s.name, s.approver_group as "approverGroupName", s.approvals, g.id as "approverGroupId",
           (select count(*)::int from approver a where a.team_id = g.team_id and a.group_id = g.id) as members,
           not exists (select from json_array_elements(t.parameters) as own (document) where own.document->>'name' = s.name) as "hasShortName"
    from team t cross join global_secret_protection s
      join global_parameter p on p.name = s.name
        and (p.document->'teams' is null or t.id::text in (select json_array_elements_text(p.document->'teams')))
      left join approver_group g on g.team_id = t.id and lower(g.name) = lower(s.approver_group)
    where t.id = ${teamId} order by s.name`;
}

export interface UsingTeam {
  id: string;
  name: string;
  /** The team itself has no parameter of that name. */
  hasShortName: boolean;
}

/** Teams that may use a parameter of the instance: the administrator who protects it sees their uses. */
export async function listTeamsWithAccess(db: Queryable, name: string): Promise<UsingTeam[]> {
  return db<UsingTeam[]>`
    select t.id, t.name,
           not exists (select from json_array_elements(t.parameters) as own (document) where own.document->>'name' = p.name) as "hasShortName"
    from global_parameter p
      join team t on p.document->'teams' is null or t.id::text in (select json_array_elements_text(p.document->'teams'))
    where p.name = ${name} and t.deleted_at is null order by t.name`;
}
