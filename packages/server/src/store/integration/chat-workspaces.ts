import type { Queryable } from "../database/database.ts";

/**
 * Workspaces of the chat platform that installed the app, and which teams are linked to them. A workspace does not belong to a team, so
 * some statements here go over teams; their results are returned only after the caller's permissions were checked.
 */
export interface ChatWorkspace {
  /** The platform's id of it. */
  ref: string;
  name: string | null;
  appId: string | null;
  /** An envelope; null if the setting chat.token is to be used. */
  token: string | null;
  /** Address of the platform's API that granted the token: it is sent nowhere else. Null without a token. */
  apiUrl: string | null;
  scopes: string[];
}

export interface ChatWorkspaceRow extends ChatWorkspace {
  id: string;
  isVouchedFor: boolean;
}

const columns = (db: Queryable) => db`
  w.id, w.ref, w.name, w.app_id as "appId", w.token, w.api_url as "apiUrl", w.scopes, w.vouched_at is not null as "isVouchedFor"`;

/** A workspace that installs the app again gets a new token; its links stay. */
export async function saveChatWorkspace(db: Queryable, workspace: ChatWorkspace): Promise<{ id: string; isNew: boolean }> {
  const { ref, name, appId, token, apiUrl, scopes } = workspace;
  const [row] = await db<{ id: string; isNew: boolean }[]>`
    insert into chat_workspace as w (ref, name, app_id, token, api_url, scopes) values (${ref}, ${name}, ${appId}, ${token}, ${apiUrl}, ${scopes}::text[])
    on conflict (ref) do update set name = excluded.name, app_id = excluded.app_id, token = excluded.token, api_url = excluded.api_url, scopes = excluded.scopes,
      changed_at = (select db_now())
    returning w.id, (xmax = 0) as "isNew"`;
  return row!;
}

/** The record of a workspace without a token of its own, created if there is none. */
export async function ensureChatWorkspace(db: Queryable, ref: string): Promise<void> {
  await db`insert into chat_workspace (ref) values (${ref}) on conflict (ref) do nothing`;
}

/**
 * Its id; undefined if it did not exist, or got its token after that time.
 * @param before the time of the event, which may arrive late, when the app has been installed again
 */
export async function deleteChatWorkspace(db: Queryable, ref: string, before: Date | undefined): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    delete from chat_workspace where ref = ${ref} and (${before ?? null}::timestamptz is null or changed_at <= ${before ?? null}) returning id`;
  return row?.id;
}

export async function findChatWorkspace(db: Queryable, ref: string): Promise<ChatWorkspaceRow | undefined> {
  const [row] = await db<ChatWorkspaceRow[]>`select ${columns(db)} from chat_workspace w where w.ref = ${ref}`;
  return row;
}

/** By the platform's id, or by that of the record, which a team's link shows. */
export async function findChatWorkspaceByAnyId(db: Queryable, id: string): Promise<ChatWorkspaceRow | undefined> {
  const [row] = await db<
    ChatWorkspaceRow[]
  >`select ${columns(db)} from chat_workspace w where w.ref = ${id} or w.id::text = ${id.toLowerCase()}`;
  return row;
}

/** By the platform's id, locked until the transaction ends. */
export async function lockChatWorkspace(db: Queryable, ref: string): Promise<ChatWorkspaceRow | undefined> {
  const [row] = await db<ChatWorkspaceRow[]>`select ${columns(db)} from chat_workspace w where w.ref = ${ref} for no key update`;
  return row;
}

export async function vouchForChatWorkspace(db: Queryable, id: string): Promise<void> {
  await db`update chat_workspace set vouched_at = coalesce(vouched_at, (select db_now())) where id = ${id}`;
}

export interface LinkedTeam {
  id: string;
  name: string;
}

/** By name; deleted and inactive teams are left out. */
export async function listTeamsOfChatWorkspace(db: Queryable, workspaceId: string): Promise<LinkedTeam[]> {
  return db<LinkedTeam[]>`
    select t.id, t.name from team_chat_workspace l join team t on t.id = l.team_id
    where l.workspace_id = ${workspaceId} and t.deleted_at is null and t.status = 'active'
    order by t.name`;
}

export interface ListedChatWorkspace extends Pick<ChatWorkspaceRow, "id" | "ref" | "name" | "scopes"> {
  /** Names of the teams that are linked to it. */
  teams: string[];
}

/** The newest first. */
export async function listChatWorkspaces(db: Queryable, limit: number): Promise<ListedChatWorkspace[]> {
  return db<ListedChatWorkspace[]>`
    select w.id, w.ref, w.name, w.scopes,
      array(select t.name from team_chat_workspace l join team t on t.id = l.team_id and t.deleted_at is null
            where l.workspace_id = w.id order by t.name) as teams
    from chat_workspace w order by w.created_at desc, w.id desc limit ${limit}`;
}

/** Id of the workspace that the team was linked to last; undefined without any. */
export async function findChatWorkspaceOfTeam(db: Queryable, teamId: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select workspace_id as id from team_chat_workspace where team_id = ${teamId} order by created_at desc, workspace_id desc limit 1`;
  return row?.id;
}

/** False when it was linked already. */
export async function linkChatWorkspace(db: Queryable, teamId: string, workspaceId: string): Promise<boolean> {
  const { count } = await db`
    insert into team_chat_workspace (team_id, workspace_id) values (${teamId}, ${workspaceId}) on conflict do nothing`;
  return count > 0;
}

/** False when it was not linked. */
export async function unlinkChatWorkspace(db: Queryable, teamId: string, workspaceId: string): Promise<boolean> {
  const { count } = await db`delete from team_chat_workspace where team_id = ${teamId} and workspace_id = ${workspaceId}`;
  return count > 0;
}
