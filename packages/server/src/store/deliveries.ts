import type { DeliveryChannel } from "@millrace/contract/subscription.ts";
import type { ChangeEvent } from "../core/delivery/change-event.ts";
import type { Transaction } from "./database.ts";

/** The queue of what is sent, of all teams: the deliverer serves one receiver after the other, whosever they are. */

export interface NewDelivery {
  event: Pick<ChangeEvent, "id" | "seq" | "teamId" | "laneId">;
  channel: DeliveryChannel;
  /** Null: the target says all. */
  subscriptionId: string | null;
  /** Null: it is in the subscription. */
  target: Record<string, unknown> | null;
  receiverId: string;
}

/**
 * Queues deliveries; one that has another of its lane before it waits. The heads of the lanes are locked first and looked at in a new
 * statement: who ends one of them meanwhile either sees the new row, or is seen (index delivery_lane).
 */
export async function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = JSON.stringify(
    deliveries.map(({ event, ...rest }) => ({
      ...rest,
      teamId: event.teamId,
      eventId: event.id,
      eventSeq: event.seq,
      laneId: event.laneId,
    })),
  );
  await tx`
    select 1 from delivery d
    where d.status in ('waiting', 'pending') and d.status = 'pending' and (d.receiver_id, d.lane_id) in (
      select n."receiverId", n."laneId" from json_to_recordset(${rows}::json) as n("receiverId" uuid, "laneId" uuid))
    order by d.id for update of d`;
  await tx`
    insert into delivery (team_id, subscription_id, channel, target, event_id, event_seq, receiver_id, lane_id, status, due_at)
    select n."teamId", n."subscriptionId", n.channel, n.target, n."eventId", n."eventSeq", n."receiverId", n."laneId",
           case when n."isBehind" then 'waiting' else 'pending' end, case when n."isBehind" then null else db_now() end
    from (
      select r.*, row_number() over (partition by r."receiverId", r."laneId" order by r."eventSeq") > 1
        or exists (select from delivery d where d.receiver_id = r."receiverId" and d.lane_id = r."laneId" and d.status in ('waiting', 'pending')) as "isBehind"
      from json_to_recordset(${rows}::json) as r("teamId" uuid, "subscriptionId" uuid, channel text, target json, "eventId" uuid,
        "eventSeq" bigint, "receiverId" uuid, "laneId" uuid)) n
    order by n."eventSeq"`;
}
