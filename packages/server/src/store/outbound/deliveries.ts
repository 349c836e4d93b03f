import type { DeliveryChannel, DeliveryStatus } from "@millrace/contract/outbound/delivery.ts";
import type { ChangeEvent, ClaimedDelivery } from "../../core/outbound/change-event.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import { eventColumns, type FlatEvent, toEvent } from "./change-events.ts";

/**
 * The queue of deliveries, of all teams: the deliverer serves receivers regardless of their team. In a lane (a run, a schedule) each
 * receiver has one delivery that is `pending`; those after it are `waiting`, and the next one becomes pending in the transaction that ends
 * the one before. A transaction that changes a lane first locks the lane (`lockLanes`) and then reads it in a new statement. The lock is
 * the lane itself and not one of its rows: a row can end while others are being added behind it, and then nobody would promote those. Lanes
 * that get stuck nevertheless are found by `promoteStuckLanes`.
 */

export interface NewDelivery {
  event: Pick<ChangeEvent, "id" | "seq" | "teamId" | "laneId">;
  channel: DeliveryChannel;
  /** Null: the target contains everything. */
  subscriptionId: string | null;
  /** Null: it is in the subscription. */
  target: Record<string, unknown> | null;
  receiverId: string;
}

export interface Lane {
  receiverId: string;
  laneId: string;
}

/** Queues deliveries; one with another of its lane before it waits (index delivery_lane). */
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
  await lockLanes(
    tx,
    deliveries.map(({ event }) => event.laneId),
  );
  await tx`
    insert into delivery (team_id, subscription_id, channel, target, event_id, event_seq, receiver_id, lane_id, status, due_at)
    select n."teamId", n."subscriptionId", n.channel, n.target, n."eventId", n."eventSeq", n."receiverId", n."laneId",
           case when n."isBehind" then 'waiting' else 'pending' end, case when n."isBehind" then null else db_now() end
    from (
      select r."teamId", r."subscriptionId", r.channel, r.target, r."eventId", r."eventSeq", r."receiverId", r."laneId",
        row_number() over (partition by r."receiverId", r."laneId" order by r."eventSeq") > 1
        or exists (select from delivery d where d.receiver_id = r."receiverId" and d.lane_id = r."laneId" and d.status in ('waiting', 'pending'))
        as "isBehind"
      from json_to_recordset(${rows}::json) as r("teamId" uuid, "subscriptionId" uuid, channel text, target json, "eventId" uuid,
        "eventSeq" bigint, "receiverId" uuid, "laneId" uuid)) n
    order by n."eventSeq"`;
}

/**
 * Locks lanes until the transaction ends, in the order of their keys, so that two transactions with several lanes can't deadlock. A
 * transaction that needs more than one call locks all its lanes in the first. The receivers of a lane share its lock: a batch of events
 * then needs as many locks as it has runs, however many subscriptions there are.
 */
export async function lockLanes(tx: Transaction, laneIds: readonly string[]): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(key)
    from (select distinct hashtextextended('millrace.lane.' || id, 0) as key from unnest(${[...laneIds]}::text[]) as id order by key) k`;
}

/** Makes the first waiting delivery pending, in lanes without a pending one. The lanes must be locked. */
async function promoteLanes(tx: Transaction, lanes: readonly Lane[]): Promise<void> {
  await tx`
    update delivery d set status = 'pending', due_at = (select db_now())
    from (
      select (select w.id from delivery w where w.receiver_id = l."receiverId" and w.lane_id = l."laneId" and w.status = 'waiting'
              order by w.event_seq limit 1) as id
      from (select distinct "receiverId", "laneId"
            from json_to_recordset(${JSON.stringify(lanes)}::json) as r("receiverId" uuid, "laneId" uuid)) l
      where not exists (select from delivery p where p.receiver_id = l."receiverId" and p.lane_id = l."laneId" and p.status = 'pending')
    ) head
    where d.id = head.id`;
}

/** How many lanes one call of `promoteStuckLanes` repairs. */
const stuckBatch = 500;

/**
 * Promotes lanes in which something waits and nothing is pending. This should never happen; it repairs what a bug or an earlier version has
 * left.
 * @returns how many lanes it found
 */
export async function promoteStuckLanes(tx: Transaction): Promise<number> {
  const lanes = await tx<Lane[]>`
    select distinct w.receiver_id as "receiverId", w.lane_id as "laneId" from delivery w
    where w.status = 'waiting'
      and not exists (select from delivery p where p.receiver_id = w.receiver_id and p.lane_id = w.lane_id and p.status = 'pending')
    limit ${stuckBatch}`;
  if (lanes.length === 0) return 0;
  await lockLanes(
    tx,
    lanes.map(({ laneId }) => laneId),
  );
  await promoteLanes(tx, lanes);
  return lanes.length;
}

export interface NextDelivery {
  now: Date;
  /** When the next one is or was due; null: there is none. */
  nextDueAt: Date | null;
}

/**
 * The receivers that have a pending delivery and are not paused, one step of an index for each (delivery_pending): the backlog of a dead
 * receiver costs the others nothing.
 */
const openReceivers = (db: Queryable) => db`
  recursive step as (
    (select d.receiver_id as id from delivery d where d.status = 'pending' order by d.receiver_id limit 1)
    union all
    select (select d.receiver_id from delivery d where d.status = 'pending' and d.receiver_id > step.id order by d.receiver_id limit 1)
    from step where step.id is not null
  ), clock as materialized (select db_now() as now
  ), receiver as (
    select step.id from step left join subscription s on s.id = step.id where step.id is not null and (s.id is null or s.is_active)
  )`;

/** When is the next delivery due? */
export async function findNextDelivery(db: Queryable): Promise<NextDelivery> {
  const [row] = await db<NextDelivery[]>`
    with ${openReceivers(db)}
    select clock.now, (
      select min((select d.due_at from delivery d where d.receiver_id = receiver.id and d.status = 'pending' order by d.due_at limit 1))
      from receiver) as "nextDueAt"
    from clock`;
  if (!row) throw new Error("the statement about deliveries returned no row");
  return row;
}

export interface ClaimBounds {
  /** Of all receivers together. */
  count: number;
  /** Of one receiver that is not listed below. */
  perReceiver: number;
  /** The remaining capacity of other receivers. */
  rooms: readonly { receiverId: string; free: number }[];
  /** How long an attempt counts as in progress; then it is due again. */
  leaseMs: number;
}

type ClaimedRow = Omit<ClaimedDelivery, "event"> & FlatEvent;

/**
 * Claims due deliveries, each as a new attempt: the longest due one of each receiver first, then the second of each, and so on, so that
 * none is crowded out. Those that another process claims at the same moment are skipped.
 */
export async function claimDeliveries(db: Queryable, { count, perReceiver, rooms, leaseMs }: ClaimBounds): Promise<ClaimedDelivery[]> {
  const rows = await db<ClaimedRow[]>`
    with ${openReceivers(db)}, picked as (
      select d.id, row_number() over (partition by receiver.id order by d.due_at, d.event_seq) as rank
      from receiver
      left join json_to_recordset(${JSON.stringify(rooms)}::json) as room("receiverId" uuid, free int) on room."receiverId" = receiver.id
      cross join lateral (
        select p.id, p.due_at, p.event_seq from delivery p
        where p.receiver_id = receiver.id and p.status = 'pending' and p.due_at <= (select now from clock)
        order by p.due_at, p.event_seq limit coalesce(room.free, ${perReceiver}) for update skip locked) d
    ), taken as (
      update delivery d set attempts = d.attempts + 1, attempted_at = clock.now, due_at = clock.now + make_interval(secs => ${leaseMs / 1000}::float8)
      from clock, (select id from picked order by rank limit ${count}) one
      where d.id = one.id
      returning d.id, d.channel, d.subscription_id, d.team_id, d.receiver_id, d.attempts, d.target, d.event_id, d.event_seq, clock.now
    )
    select t.id as "deliveryId", t.channel, t.subscription_id as "subscriptionId", s.team_id as "subscriptionTeamId", t.receiver_id as "receiverId", t.attempts as attempt,
           coalesce(s.target, t.target, '{}') as target,
           array_remove(array[s.secret, case when s.old_secret_until > t.now then s.old_secret end], null) as secrets, ${eventColumns(db)}
    from taken t
    join change_event e on e.id = t.event_id
    left join subscription s on s.id = t.subscription_id
    order by t.event_seq`;
  return rows.map((row) => {
    const { deliveryId, channel, subscriptionId, subscriptionTeamId, receiverId, attempt, target, secrets } = row as ClaimedRow & {
      deliveryId: string;
    };
    const event = toEvent(row);
    return {
      id: deliveryId,
      channel,
      subscriptionId,
      subscriptionTeamId,
      teamId: event.teamId,
      receiverId,
      attempt,
      target,
      secrets,
      event,
    };
  });
}

/** The outcome of an attempt. */
export interface DeliveryResult extends Lane {
  id: string;
  /** The attempt must still be the newest. */
  attempt: number;
  outcome: "delivered" | "retry" | "dead";
  /** For `retry`; if it would be later than the delivery's time limit, it is dead instead. */
  delayMs: number;
  status: number | null;
  answer: string | null;
  error: string | null;
}

/**
 * Records attempts, and promotes the deliveries that waited for those that have ended. Reports of an older attempt change nothing.
 * @returns the ids of those that were given up
 */
export async function finishDeliveries(tx: Transaction, results: readonly DeliveryResult[]): Promise<Set<string>> {
  await lockLanes(
    tx,
    results.map(({ laneId }) => laneId),
  );
  const ended = await tx<{ id: string; status: DeliveryStatus }[]>`
    with clock as materialized (select db_now() as now), seen as (
      select r.id, r.attempt, r.status, r.answer, r.error, clock.now + make_interval(secs => r."delayMs" / 1000.0) as again_at, clock.now,
        case when r.outcome = 'retry' and clock.now + make_interval(secs => r."delayMs" / 1000.0) <= d.expires_at then 'pending'
             when r.outcome = 'retry' then 'dead' else r.outcome end as becomes
      from json_to_recordset(${JSON.stringify(results)}::json)
        as r(id uuid, attempt int, outcome text, "delayMs" float8, status int, answer text, error text)
      join delivery d on d.id = r.id
      cross join clock
    )
    update delivery d
    set status = s.becomes, due_at = case when s.becomes = 'pending' then s.again_at end, ended_at = case when s.becomes <> 'pending' then s.now end,
        last_status = s.status, last_answer = s.answer, last_error = s.error
    from seen s
    where d.id = s.id and d.attempts = s.attempt and d.status = 'pending' returning d.id, d.status`;
  await promoteLanes(tx, results);
  return new Set(ended.filter(({ status }) => status === "dead").map(({ id }) => id));
}

/** Sends ended ones again, in the order of their events, with a new time limit of a day. @returns how many */
export async function replayDeliveries(
  tx: Transaction,
  subscriptionId: string,
  which: { id: string } | { status: "dead" },
): Promise<number> {
  const lanes = await tx<Lane[]>`
    select distinct d.receiver_id as "receiverId", d.lane_id as "laneId" from delivery d
    where d.subscription_id = ${subscriptionId}
      and ${"id" in which ? tx`d.id = ${which.id} and d.status in ('dead', 'delivered')` : tx`d.status = ${which.status}`}`;
  if (lanes.length === 0) return 0;
  await lockLanes(
    tx,
    lanes.map(({ laneId }) => laneId),
  );
  const { count } = await tx`
    update delivery d set status = 'waiting', ended_at = null, expires_at = (select db_now()) + interval '24 hours'
    where d.subscription_id = ${subscriptionId}
      and ${"id" in which ? tx`d.id = ${which.id} and d.status in ('dead', 'delivered')` : tx`d.status = ${which.status}`}`;
  await promoteLanes(tx, lanes);
  return count;
}
