import type { Queryable } from "../database/database.ts";

export interface SubscriptionName {
  id: string;
  name: string;
  /** Null: it is the instance's. */
  teamId: string | null;
}

/** A team's own subscription, or one of the instance that is sent an event of the team; undefined when it is gone. */
export async function findSubscriptionName(db: Queryable, teamId: string | null, id: string): Promise<SubscriptionName | undefined> {
  const [row] = await db<SubscriptionName[]>`
    select id, name, team_id as "teamId" from subscription where (team_id = ${teamId} or team_id is null) and id::text = ${id}`;
  return row;
}
