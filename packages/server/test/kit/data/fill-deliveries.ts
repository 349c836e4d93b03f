import type { Database } from "../../../src/store/database/database.ts";

/**
 * A subscription `all` of each team, or of the instance for null, with its share of this number of deliveries, nearly all of which have
 * ended, and their events. Afterwards the tables are vacuumed and analysed.
 */
export async function fillDeliveries(sql: Database, teamIds: readonly (string | null)[], count: number): Promise<void> {
  const share = Math.floor(count / teamIds.length);
  for (const teamId of teamIds) {
    const [row] = await sql<{ id: string }[]>`
      insert into subscription (team_id, name, channel, target) values (${teamId}, 'all', 'webhook', '{"url": "https://example.com/"}') returning id`;
    await sql`
      with event as (
        insert into change_event (team_id, kind, status, object_id, lane_id, data, dispatched_at)
        select ${teamId}, 'workflowrun', 'failed', new_id(), new_id(), '{}', now() from generate_series(1, ${share}::int) returning id, seq, lane_id
      )
      insert into delivery (team_id, subscription_id, channel, event_id, event_seq, receiver_id, lane_id, status, due_at, ended_at)
      select ${teamId}, ${row!.id}::uuid, 'webhook', id, seq, ${row!.id}::uuid, lane_id, case when seq % 100 = 0 then 'pending' else 'delivered' end,
        case when seq % 100 = 0 then now() + interval '1 hour' end, case when seq % 100 <> 0 then now() end from event`;
  }
  await sql`vacuum (analyze) change_event, delivery, subscription`;
}
