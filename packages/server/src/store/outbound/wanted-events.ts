import type { EventFilter } from "@millrace/contract/event-filter.ts";
import type { EventKind, SubscriptionChannel } from "@millrace/contract/subscription.ts";
import type { Queryable, Transaction } from "../database/database.ts";

/** Who wants the events of several teams: the dispatcher asks for a whole batch at once. */

export interface ActiveSubscription {
  id: string;
  /** Null: all teams. */
  teamId: string | null;
  channel: SubscriptionChannel;
  filters: EventFilter[];
  kinds: EventKind[];
}

/** Held so that none of them is deleted before its deliveries are written. */
export async function lockActiveSubscriptions(tx: Transaction, teamIds: readonly string[]): Promise<ActiveSubscription[]> {
  return tx<ActiveSubscription[]>`
    select s.id, s.team_id as "teamId", s.channel, s.filters, s.kinds from subscription s
    where s.is_active and (s.team_id is null or s.team_id = any(${[...teamIds]}::uuid[])) order by s.id for key share`;
}

/** The receiver wants nothing any more. What is queued for it stays, for when someone lets it go on. */
export async function pauseSubscription(db: Queryable, id: string, statusMessage: string): Promise<void> {
  await db`update subscription set is_active = false, status_message = ${statusMessage}, changed_at = db_now() where id = ${id} and is_active`;
}
