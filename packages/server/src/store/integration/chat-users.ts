import type { Queryable } from "../database/database.ts";

/** Users of a workspace of the chat platform who have contacted the service. */

/** How long the platform is not asked again about a user. */
const freshMinutes = 10;

/** The address that the platform has confirmed, if it did so recently. */
export async function findFreshChatEmail(db: Queryable, workspaceId: string, ref: string): Promise<string | undefined> {
  const [row] = await db<{ email: string | null }[]>`
    select email from chat_user
    where workspace_id = ${workspaceId} and ref = ${ref} and checked_at > (select db_now()) - make_interval(mins => ${freshMinutes})`;
  return row?.email ?? undefined;
}

/** @param email lower case */
export async function saveChatEmail(db: Queryable, workspaceId: string, ref: string, email: string): Promise<void> {
  await db`
    insert into chat_user (workspace_id, ref, email, checked_at) values (${workspaceId}, ${ref}, ${email}, (select db_now()))
    on conflict (workspace_id, ref) do update set email = excluded.email, checked_at = excluded.checked_at`;
}

/** True for the first time; of several concurrent calls for one of them. */
export async function markWelcomed(db: Queryable, workspaceId: string, ref: string): Promise<boolean> {
  const { count } = await db`
    insert into chat_user as u (workspace_id, ref, welcomed_at) values (${workspaceId}, ${ref}, (select db_now()))
    on conflict (workspace_id, ref) do update set welcomed_at = excluded.welcomed_at where u.welcomed_at is null`;
  return count > 0;
}

/** The welcome could not be sent: it may be sent the next time. */
export async function unmarkWelcomed(db: Queryable, workspaceId: string, ref: string): Promise<void> {
  await db`update chat_user set welcomed_at = null where workspace_id = ${workspaceId} and ref = ${ref}`;
}
