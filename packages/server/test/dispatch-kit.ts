import { createLog } from "../src/base/log.ts";
import type { WakeWire } from "../src/base/wake-wire.ts";
import type { ChangeEvent } from "../src/core/delivery/change-event.ts";
import type { RunContext } from "../src/domain/run/run-context.ts";
import { reactions } from "../src/engine/reactions.ts";
import type { Database } from "../src/store/database.ts";

/** STAND-IN until the dispatcher is there. */
export async function dispatchAll({ sql, context, wire }: { sql: Database; context: RunContext; wire: WakeWire }): Promise<number> {
  createLog("silent");
  return sql.begin(async (tx) => {
    const [lock] = await tx`select pg_try_advisory_xact_lock(hashtext('millrace.dispatch')) as free`;
    if (!lock!["free"]) return 0;
    const events = await tx<ChangeEvent[]>`
      select id, seq::float8 as seq, team_id as "teamId", kind, status, object_id as "objectId", lane_id as "laneId", team_name as "teamName",
        workflow_id as "workflowId", workflow_name as "workflowName", initiator_context as "initiatorContext", data, at
      from change_event where dispatched_at is null order by seq limit 50`;
    for (const event of events)
      for (const reaction of reactions)
        if (reaction.concerns(event))
          await tx.savepoint((inner) => reaction.react(inner as never, event, { context, wire, afterCommit: (effect) => effect() }));
    await tx`update change_event set dispatched_at = db_now() where id = any(${events.map(({ id }) => id)}::uuid[])`;
    return events.length;
  }) as Promise<number>;
}
