import type { TeamRole } from "@millrace/contract/identity/user.ts";
import { isId } from "../../base/text/uuid.ts";
import type { ApproverGroup } from "../../core/task/task-type.ts";
import type { Queryable } from "../database/database.ts";
import { andNamesHave } from "../database/name-search.ts";
import type { QueryOrder } from "../database/query-order.ts";

export interface MemberRow {
  teamId: string;
  userId: string;
  email: string;
  name: string | null;
  role: TeamRole;
  /** Added by address, and has not signed in yet. */
  isInvited: boolean;
}

const columns = (db: Queryable) => db`
  m.team_id as "teamId", m.user_id as "userId", u.email, coalesce(u.display_name, u.name) as name, m.role, u.is_invited as "isInvited"`;

/** All members of a team, in the order in which they were added: there may be many thousands. */
export async function listMembers(db: Queryable, teamId: string): Promise<MemberRow[]> {
  return db<MemberRow[]>`
    select ${columns(db)} from team_member m join app_user u on u.id = m.user_id
    where m.team_id = ${teamId} order by m.created_at, m.user_id`;
}

/** The first members of each of these teams, up to a limit: by the index team_member_by_time, however many there are. */
export async function listFirstMembers(db: Queryable, teamIds: readonly string[], limit: number): Promise<MemberRow[]> {
  return db<MemberRow[]>`
    select ${columns(db)}
    from unnest(${[...teamIds]}::uuid[]) as t (id)
      cross join lateral (
        select team_id, user_id, role, created_at from team_member where team_id = t.id order by created_at, user_id limit ${limit}) as m
      join app_user u on u.id = m.user_id
    order by m.created_at, m.user_id`;
}

/** How many members each of these teams has. */
export async function countMembers(db: Queryable, teamIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db<{ teamId: string; members: number }[]>`
    select t.id as "teamId", (select count(*)::int from team_member m where m.team_id = t.id) as members
    from unnest(${[...teamIds]}::uuid[]) as t (id)`;
  return new Map(rows.map(({ teamId, members }) => [teamId, members]));
}

/** Those of these people who are members of the team. */
export async function findMembers(
  db: Queryable,
  teamId: string,
  { ids = [], emails = [] }: { ids?: readonly string[]; emails?: readonly string[] },
): Promise<MemberRow[]> {
  return db<MemberRow[]>`
    select ${columns(db)} from team_member m join app_user u on u.id = m.user_id
    where m.team_id = ${teamId}
      and m.user_id = any(array(select id from app_user where id = any(${ids.filter(isId)}::uuid[]) or email = any(${[...emails]})))
    order by m.created_at, m.user_id`;
}

/** Owners who have signed in at least once: people who were only invited can't manage the team. */
export async function countOwners(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db<{ owners: number }[]>`
    select count(*)::int as owners from team_member m join app_user u on u.id = m.user_id and not u.is_invited
    where m.team_id = ${teamId} and m.role = 'owner'`;
  return row!.owners;
}

export interface MemberFilter {
  roles: readonly string[] | undefined;
  /** IDs or email addresses of users; all if undefined or empty. */
  ids: readonly string[] | undefined;
  /** In a name or the email address. */
  search?: string | undefined;
}

/** One page of the matching members of a team, and their number over all pages. */
export async function queryMembers(
  db: Queryable,
  teamId: string,
  { roles = [], ids = [], search }: MemberFilter,
  order: QueryOrder,
): Promise<{ rows: MemberRow[]; total: number }> {
  const wanted = ids.map((id) => id.toLowerCase());
  const from = db`
    from team_member m join app_user u on u.id = m.user_id
    where m.team_id = ${teamId}
      ${roles.length === 0 ? db`` : db`and m.role = any(${[...roles]})`}
      ${wanted.length === 0 ? db`` : db`and (m.user_id = any(${wanted.filter(isId)}::uuid[]) or u.email = any(${wanted}))`}
      ${andNamesHave(db, search, db`u.email`, db`u.name`, db`u.display_name`)}`;
  const direction = order.isDescending ? db`desc` : db`asc`;
  const rows = await db<MemberRow[]>`
    select ${columns(db)} ${from}
    order by ${sortColumn(db, order.sort)} ${direction}, m.user_id ${direction} limit ${order.limit} offset ${order.offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total ${from}`;
  return { rows, total: count!.total };
}

function sortColumn(db: Queryable, sort: string) {
  switch (sort) {
    case "name":
      return db`coalesce(nullif(coalesce(u.display_name, u.name), ''), u.email)`;
    case "email":
      return db`u.email`;
    case "role":
      return db`array_position(array['owner', 'editor', 'reader'], m.role)`;
    default:
      return db`m.created_at`;
  }
}

/** Adds members, or changes their role. Lock the team first, because of the rule about the last owner. */
export async function setMembers(db: Queryable, teamId: string, members: readonly { userId: string; role: TeamRole }[]): Promise<void> {
  await db`
    insert into team_member (team_id, user_id, role)
    select ${teamId}, user_id, role
    from unnest(${members.map(({ userId }) => userId)}::uuid[], ${members.map(({ role }) => role)}::text[]) as given (user_id, role)
    on conflict (team_id, user_id) do update set role = excluded.role`;
}

/** Their memberships in approver groups are deleted, too (foreign key). Lock the team first. */
export async function deleteMembers(db: Queryable, teamId: string, userIds: readonly string[]): Promise<void> {
  await db`delete from team_member where team_id = ${teamId} and user_id = any(${[...userIds]})`;
}

/** False for existing members: they keep their role. */
export async function addMember(db: Queryable, teamId: string, { userId, role }: { userId: string; role: TeamRole }): Promise<boolean> {
  const { count } = await db`
    insert into team_member (team_id, user_id, role) values (${teamId}, ${userId}, ${role}) on conflict (team_id, user_id) do nothing`;
  return count > 0;
}

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
