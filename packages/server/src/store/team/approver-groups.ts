import type { ApproverGroup } from "../../core/task/task-type.ts";
import type { Queryable } from "../database/database.ts";

export interface ApproverGroupRow {
  teamId: string;
  id: string;
  name: string;
  createdAt: Date;
  approvers: { id: string; email: string; name: string | null }[];
}

export async function listApproverGroups(db: Queryable, teamIds: readonly string[]): Promise<ApproverGroupRow[]> {
  return db<ApproverGroupRow[]>`
    select g.team_id as "teamId", g.id, g.name, g.created_at as "createdAt",
      coalesce((select json_agg(json_build_object('id', u.id, 'email', u.email, 'name', coalesce(u.display_name, u.name)) order by u.email)
                from approver a join app_user u on u.id = a.user_id
                where a.team_id = g.team_id and a.group_id = g.id), '[]'::json) as approvers
    from approver_group g
    where g.team_id = any(${[...teamIds]})
    order by g.created_at, g.id`;
}

/**
 * By id or by name ignoring case, with the number of its members; an id takes precedence over a name of that form. Locked until the
 * transaction ends, so that the group can't be deleted before the action that is opened for it is visible.
 */
export async function findApproverGroup(
  db: Queryable,
  teamId: string,
  reference: string,
  runId: string,
): Promise<ApproverGroup | undefined> {
  const lower = reference.toLowerCase();
  const [row] = await db<ApproverGroup[]>`
    select g.id, g.name, size.members, size."otherMembers"
    from approver_group g
    cross join lateral (
      select count(*)::int as members,
        (count(*) filter (where a.user_id <> all((select people_of_run(${teamId}, ${runId}))::uuid[])))::int as "otherMembers"
      from approver a join app_user u on u.id = a.user_id and not u.is_invited
      where a.team_id = g.team_id and a.group_id = g.id) as size
    where g.team_id = ${teamId} and (g.id::text = ${lower} or lower(g.name) = ${lower})
    order by (g.id::text = ${lower}) desc limit 1
    for key share of g`;
  return row;
}

/**
 * Creates the group, or finds the one with that name ignoring case; its approvers become these members of the team, or stay if undefined.
 */
export async function setApproverGroup(db: Queryable, teamId: string, name: string, userIds?: readonly string[]): Promise<void> {
  const [group] = await db<{ id: string }[]>`
    insert into approver_group (team_id, name) values (${teamId}, ${name})
    on conflict (team_id, lower(name)) do update set name = excluded.name
    returning id`;
  if (userIds === undefined) return;
  await db`
    delete from approver where team_id = ${teamId} and group_id = ${group!.id} and user_id <> all(${[...userIds]})`;
  await db`
    insert into approver (team_id, group_id, user_id)
    select ${teamId}, ${group!.id}, user_id from unnest(${[...userIds]}::uuid[]) as user_id
    on conflict do nothing`;
}

/**
 * The groups with these ids, or names ignoring case, for deleting them: actions that are opened for them concurrently (`findApproverGroup`)
 * are committed before this returns, or no longer find them.
 */
export async function lockApproverGroups(db: Queryable, teamId: string, references: readonly string[]): Promise<ApproverGroupRow[]> {
  const lower = references.map((reference) => reference.toLowerCase());
  const held = await db<{ id: string }[]>`
    select id from approver_group where team_id = ${teamId} and (id::text = any(${lower}) or lower(name) = any(${lower}))
    order by id for update`;
  const ids = new Set(held.map(({ id }) => id));
  return (await listApproverGroups(db, [teamId])).filter(({ id }) => ids.has(id));
}

export async function deleteApproverGroups(db: Queryable, teamId: string, ids: readonly string[]): Promise<void> {
  await db`delete from approver_group where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
}
