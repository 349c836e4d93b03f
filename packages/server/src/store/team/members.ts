import type { TeamRole } from "@millrace/contract/user.ts";
import type { Queryable } from "../database/database.ts";

export interface MemberRow {
  teamId: string;
  userId: string;
  email: string;
  name: string | null;
  role: TeamRole;
}

/** Members of these teams, in the order in which they came. */
export async function listMembers(db: Queryable, teamIds: readonly string[]): Promise<MemberRow[]> {
  return db<MemberRow[]>`
    select m.team_id as "teamId", m.user_id as "userId", u.email, coalesce(u.display_name, u.name) as name, m.role
    from team_member m join app_user u on u.id = m.user_id
    where m.team_id = any(${[...teamIds]})
    order by m.created_at, m.user_id`;
}

/** Adds members, or gives them another role. Lock the team first: the rule of the last owner needs it. */
export async function setMembers(db: Queryable, teamId: string, members: readonly { userId: string; role: TeamRole }[]): Promise<void> {
  await db`
    insert into team_member (team_id, user_id, role)
    select ${teamId}, user_id, role
    from unnest(${members.map(({ userId }) => userId)}::uuid[], ${members.map(({ role }) => role)}::text[]) as given (user_id, role)
    on conflict (team_id, user_id) do update set role = excluded.role`;
}

/** Their places in approver groups go with them (foreign key). Lock the team first. */
export async function deleteMembers(db: Queryable, teamId: string, userIds: readonly string[]): Promise<void> {
  await db`delete from team_member where team_id = ${teamId} and user_id = any(${[...userIds]})`;
}
