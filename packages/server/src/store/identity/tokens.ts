import type { TokenType } from "@millrace/contract/identity/token.ts";
import type { TeamRole, UserType } from "@millrace/contract/identity/user.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";

/** What sign-in needs to know about a token: its owner, and the owner's current permissions. */
export interface CredentialRow {
  id: string;
  kind: TokenType;
  name: string;
  permissions: string[];
  /** External tasks that it may claim; null: none. */
  tasks: string[] | null;
  expiresAt: Date | null;
  teamId: string | null;
  workflowId: string | null;
  workflowName: string | null;
  userId: string | null;
  userEmail: string | null;
  userName: string | null;
  userType: UserType | null;
  /** Roles of the user in the teams that are not deleted. */
  roles: { teamId: string; role: TeamRole }[];
}

/** Not expired, nor, for a session, idle for too long; the table is named `token`. */
const isAlive = (db: Queryable) => db`
  ((token.expires_at is null or token.expires_at > (select db_now()))
    and (token.idle_seconds is null
      or coalesce(token.last_used_at, token.created_at) + make_interval(secs => token.idle_seconds) > (select db_now())))`;

/**
 * The token with that hash if it is valid now: not expired, its team and workflow not deleted, its user active. One statement per sign-in
 * (unique index on hash); `last_used_at` is updated at most once a minute, so that most sign-ins write nothing.
 */
export async function findCredential(db: Queryable, hash: Buffer): Promise<CredentialRow | undefined> {
  const [row] = await db<CredentialRow[]>`
    with used as (
      update token set last_used_at = (select db_now())
      where hash = ${hash} and (last_used_at is null or last_used_at < (select db_now()) - interval '1 minute') and ${isAlive(db)}
    )
    ${selectCredential(db)} and token.hash = ${hash}`;
  return row;
}

/** The same of a token by its id: what it was used for continues in the background. */
export async function findCredentialById(db: Queryable, id: string): Promise<CredentialRow | undefined> {
  const [row] = await db<CredentialRow[]>`${selectCredential(db)} and token.id = ${id}`;
  return row;
}

const selectCredential = (db: Queryable) => db`
    select token.id, token.kind, token.name, token.permissions, token.tasks, token.expires_at as "expiresAt", token.team_id as "teamId",
      token.workflow_id as "workflowId", w.name as "workflowName", token.user_id as "userId", u.email as "userEmail",
      coalesce(u.display_name, u.name) as "userName", u.type as "userType",
      coalesce((select json_agg(json_build_object('teamId', m.team_id, 'role', m.role))
                from team_member m join team mt on mt.id = m.team_id and mt.deleted_at is null
                where m.user_id = token.user_id), '[]'::json) as roles
    from token
      left join team on team.id = token.team_id
      left join workflow w on w.team_id = token.team_id and w.id = token.workflow_id and w.deleted_at is null
      left join app_user u on u.id = token.user_id
    where ${isAlive(db)}
      and (token.team_id is null or team.deleted_at is null)
      and (token.workflow_id is null or w.id is not null)
      and (token.user_id is null or u.status = 'active')`;

export interface NewToken {
  kind: TokenType;
  hash: Buffer;
  name: string;
  description?: string | null;
  teamId?: string | null;
  workflowId?: string | null;
  userId?: string | null;
  permissions: readonly string[];
  tasks?: readonly string[] | null;
  createdBy: string;
  /** The creator, and the token of this request: the people behind that one are behind the new one, too. */
  maker?: { userId?: string | undefined; tokenId?: string | undefined };
  expiresAt?: Date | null;
}

/** Undefined if it would have expired already. */
export async function insertToken(db: Queryable, token: NewToken): Promise<{ id: string } | undefined> {
  const expiresAt = token.expiresAt ?? null;
  const [row] = await db<{ id: string }[]>`
    with made as (
      insert into token (kind, hash, name, description, team_id, workflow_id, user_id, permissions, tasks, created_by, expires_at)
      select ${token.kind}, ${token.hash}, ${token.name}, ${token.description ?? null}, ${token.teamId ?? null}, ${token.workflowId ?? null},
        ${token.userId ?? null}, ${[...token.permissions]}, ${token.tasks ? [...token.tasks] : null}::text[], ${token.createdBy}, ${expiresAt}::timestamptz
      where ${expiresAt}::timestamptz is null or ${expiresAt}::timestamptz > (select db_now())
      returning id
    ), people as (
      insert into token_maker (token_id, user_id)
      select made.id, p.user_id from made
      cross join (select ${token.maker?.userId ?? null}::uuid as user_id
                  union select m.user_id from token_maker m where m.token_id = ${uuidOrNull(token.maker?.tokenId)}) as p
      where p.user_id is not null
    )
    select id from made`;
  return row;
}

export interface TokenRow {
  id: string;
  kind: TokenType;
  name: string;
  description: string | null;
  teamId: string | null;
  workflowId: string | null;
  userId: string | null;
  permissions: string[];
  /** External tasks that it may claim; null: none. */
  tasks: string[] | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  /** Whether it would be accepted now. */
  isValid: boolean;
}

/**
 * Whether its user, if it belongs to one, is active; otherwise the token does not work. Not written with `exists`, for which the planner
 * would read all users at once.
 */
const isUserActive = (db: Queryable) => db`
  coalesce((select u.status = 'active' from app_user u where u.id = token.user_id), token.user_id is null)`;

/** For other statements that return tokens; the table is named `token`. */
export const tokenColumns = (db: Queryable) => db`
  token.id, token.kind, token.name, token.description, token.team_id as "teamId", token.workflow_id as "workflowId",
  token.user_id as "userId", token.permissions, token.tasks, token.created_at as "createdAt", token.expires_at as "expiresAt",
  token.last_used_at as "lastUsedAt", (${isAlive(db)} and ${isUserActive(db)}) as "isValid"`;

export async function findToken(db: Queryable, id: string): Promise<TokenRow | undefined> {
  const [row] = await db<TokenRow[]>`select ${tokenColumns(db)} from token where id = ${id}`;
  return row;
}

/** The people behind a token: its creator, and the creator of the token that created it. They stay known after it is deleted. */
export async function listTokenMakers(db: Queryable, tokenId: string): Promise<string[]> {
  const rows = await db<{ userId: string }[]>`select m.user_id as "userId" from token_maker m where m.token_id = ${uuidOrNull(tokenId)}`;
  return rows.map(({ userId }) => userId);
}

/** The ids of built-in tokens are words. */
function uuidOrNull(id: string | undefined): string | null {
  return id !== undefined && isId(id) ? id : null;
}

/** False if it was deleted already. */
export async function deleteToken(db: Queryable, id: string): Promise<boolean> {
  const { count } = await db`delete from token where id = ${id}`;
  return count > 0;
}

/** Global ones with all permissions that were created by the first start (`instance`), or on the machine (`operator`). */
export async function deleteAdminTokens(db: Queryable, makers: readonly string[]): Promise<{ id: string; name: string }[]> {
  return db<
    { id: string; name: string }[]
  >`delete from token where kind = 'global' and created_by = any(${[...makers]}) returning id, name`;
}

/** Tokens of the team and of its workflows: part of deleting a team. */
export async function deleteTokensOfTeam(db: Queryable, teamId: string): Promise<void> {
  await db`delete from token where team_id = ${teamId}`;
}
