import type { Queryable } from "./database.ts";

/** Workspaces of the chat platform that installed the app. They are the instance's, not a team's. */
export interface ChatWorkspace {
  /** The platform's id of it. */
  ref: string;
  name: string | null;
  appId: string | null;
  /** An envelope. */
  token: string;
  scopes: string[];
}

/** A workspace that installs the app again gets a new token. True when it is new. */
export async function saveChatWorkspace(db: Queryable, workspace: ChatWorkspace): Promise<{ id: string; isNew: boolean }> {
  const { ref, name, appId, token, scopes } = workspace;
  const [row] = await db<{ id: string; isNew: boolean }[]>`
    insert into chat_workspace as w (ref, name, app_id, token, scopes) values (${ref}, ${name}, ${appId}, ${token}, ${scopes}::text[])
    on conflict (ref) do update set name = excluded.name, app_id = excluded.app_id, token = excluded.token, scopes = excluded.scopes,
      changed_at = (select db_now())
    returning w.id, (xmax = 0) as "isNew"`;
  return row!;
}

/** Its id; undefined when it was not there. */
export async function deleteChatWorkspace(db: Queryable, ref: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`delete from chat_workspace where ref = ${ref} returning id`;
  return row?.id;
}

/** Id of the workspace that was installed last; undefined without any. */
export async function findLastChatWorkspace(db: Queryable): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`select id from chat_workspace order by changed_at desc, id desc limit 1`;
  return row?.id;
}
