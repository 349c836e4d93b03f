import type { TeamRole, UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import type { TeamStatus } from "@millrace/contract/team/team.ts";
import type { Queryable } from "../database/database.ts";
import { isNoTry } from "../workflow/hidden-workflows.ts";

/** A person as an identity provider or a trusted proxy describes them. */
export interface Visitor {
  email: string;
  /** Unchanged if undefined. */
  name: string | undefined;
  /** Whether the configuration makes this person an administrator. */
  isAdministrator: boolean;
}

export interface VisitorRow {
  id: string;
  email: string;
  type: UserType;
  status: UserStatus;
  isNew: boolean;
}

/** The rights of a user, locked until the transaction ends; undefined before the first visit. */
export async function lockRights(db: Queryable, email: string): Promise<Pick<VisitorRow, "type" | "status"> | undefined> {
  const [row] = await db<Pick<VisitorRow, "type" | "status">[]>`
    select type, status from app_user where email = lower(normalize(${email}, nfc)) for no key update`;
  return row;
}

/**
 * Admits a visitor: creates the user on the first visit, activates an invited one, and records the sign-in. A deactivated user stays
 * deactivated; the result has the status. From the second time on it is no longer a first visit. One statement, so that two concurrent
 * first visits create one user (unique index on email).
 */
export async function letVisitorIn(db: Queryable, { email, name, isAdministrator }: Visitor): Promise<VisitorRow> {
  const type: UserType = isAdministrator ? "admin" : "user";
  const [row] = await db<VisitorRow[]>`
    insert into app_user (email, name, type, status, last_login_at)
    values (lower(normalize(${email}, nfc)), ${name ?? email}, ${type}, 'active', (select db_now()))
    on conflict (email) do update set
      name = case when app_user.status = 'active' or app_user.is_invited then coalesce(${name ?? null}, app_user.name) else app_user.name end,
      type = case when ${isAdministrator} and (app_user.status = 'active' or app_user.is_invited) then 'admin' else app_user.type end,
      status = case when app_user.is_invited then 'active' else app_user.status end,
      is_invited = false,
      settings = case when app_user.last_login_at is null or app_user.status <> 'active' then app_user.settings
        else (app_user.settings::jsonb || '{"isFirstVisit": false}')::json end,
      last_login_at = case when app_user.status = 'active' or app_user.is_invited then (select db_now()) else app_user.last_login_at end
    returning id, email, type, status, xmax = 0 as "isNew"`;
  return row!;
}

/** Admits a user who is active or was invited, and records the sign-in, like `letVisitorIn`. */
export async function letPersonIn(
  db: Queryable,
  userId: string,
  { name, isAdministrator }: Pick<Visitor, "name" | "isAdministrator">,
): Promise<Pick<VisitorRow, "id" | "email" | "type">> {
  const [row] = await db<Pick<VisitorRow, "id" | "email" | "type">[]>`
    update app_user set name = coalesce(${name ?? null}, name), type = case when ${isAdministrator} then 'admin' else type end,
      status = 'active', is_invited = false, last_login_at = (select db_now()),
      settings = case when last_login_at is null or status <> 'active' then settings else (settings::jsonb || '{"isFirstVisit": false}')::json end
    where id = ${userId} returning id, email, type`;
  return row!;
}

/** Records that a user has signed in, for methods that need only the user's row. */
export async function noteSignIn(db: Queryable, userId: string): Promise<void> {
  await db`
    update app_user set last_login_at = (select db_now()),
      settings = case when last_login_at is null then settings else (settings::jsonb || '{"isFirstVisit": false}')::json end
    where id = ${userId}`;
}

/** A user with their current roles, as far as needed to decide what they may do. */
export interface PersonRow {
  userId: string;
  userEmail: string;
  userName: string | null;
  userType: UserType;
  status: UserStatus;
  isInvited: boolean;
  /** A sign-in was recorded within the last hour. */
  isRecent: boolean;
  roles: { teamId: string; role: TeamRole }[];
}

/** Over all of the user's teams; deleted ones do not count. */
export async function findPerson(db: Queryable, email: string): Promise<PersonRow | undefined> {
  const [row] = await db<PersonRow[]>`${selectPerson(db)} where u.email = lower(normalize(${email}, nfc))`;
  return row;
}

export async function findPersonById(db: Queryable, userId: string): Promise<PersonRow | undefined> {
  const [row] = await db<PersonRow[]>`${selectPerson(db)} where u.id = ${userId}`;
  return row;
}

const selectPerson = (db: Queryable) => db`
    select u.id as "userId", u.email as "userEmail", coalesce(u.display_name, u.name) as "userName", u.type as "userType", u.status,
      u.is_invited as "isInvited", coalesce(u.last_login_at > (select db_now()) - interval '1 hour', false) as "isRecent",
      coalesce((select json_agg(json_build_object('teamId', m.team_id, 'role', m.role))
                from team_member m join team mt on mt.id = m.team_id and mt.deleted_at is null
                where m.user_id = u.id), '[]'::json) as roles
    from app_user u`;

/** Statements over all teams of one person: to list the teams, and to check whether the person still belongs to any. */
export interface MembershipRow {
  id: string;
  name: string;
  displayName: string;
  status: TeamStatus;
  externalRef: string | null;
  labels: Record<string, string>;
  createdAt: Date;
  role: TeamRole;
  workflowCount: number;
  memberCount: number;
}

/** The teams of a user that are not deleted, by name (index team_member_user). */
export async function listMemberships(db: Queryable, userId: string): Promise<MembershipRow[]> {
  return db<MembershipRow[]>`
    select team.id, team.name, team.display_name as "displayName", team.status, team.external_ref as "externalRef", team.labels,
      team.created_at as "createdAt", m.role,
      (select count(*)::int from workflow w where w.team_id = team.id and w.deleted_at is null and ${isNoTry(db)}) as "workflowCount",
      (select count(*)::int from team_member other where other.team_id = team.id) as "memberCount"
    from team_member m join team on team.id = m.team_id
    where m.user_id = ${userId} and team.deleted_at is null
    order by team.name`;
}
