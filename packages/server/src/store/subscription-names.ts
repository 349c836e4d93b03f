import type { Queryable } from "./database.ts";

/** Of a team's own subscription, or one of the instance; empty when it is gone. */
export async function findSubscriptionName(db: Queryable, teamId: string | null, id: string): Promise<string> {
  const [row] = await db<{ name: string }[]>`
    select name from subscription where (team_id = ${teamId} or team_id is null) and id::text = ${id}`;
  return row?.name ?? "";
}
