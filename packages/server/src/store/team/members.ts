import type { TeamRole } from "@millrace/contract/identity/user.ts";
import type { Queryable } from "../database/database.ts";
import { andNamesHave } from "../database/name-search.ts";
import type { QueryOrder } from "../database/query-order.ts";
import { isId } from "./directory.ts";

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
