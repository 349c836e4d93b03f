import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import type { EventKind, SubscriptionChannel } from "@millrace/contract/outbound/subscription.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import type { Queryable, Transaction } from "../database/database.ts";

/**
 * Changes that the database has recorded (triggers of the schema, store/functions/note-run-changes.sql), of all teams, on their way to
 * their receivers.
 */

/** The columns of an event next to others: `id` and `status` would collide with those of a delivery. */
export type FlatEvent = Omit<ChangeEvent, "id" | "status"> & { eventId: string; eventStatus: string };

export const eventColumns = (db: Queryable) => db`
  e.id as "eventId", e.seq, e.team_id as "teamId", e.kind, e.status as "eventStatus", e.object_id as "objectId", e.lane_id as "laneId",
  e.team_name as "teamName", e.workflow_id as "workflowId", e.workflow_name as "workflowName", e.initiator_context as "initiatorContext",
  e.lineage, e.data, e.at`;

export function toEvent(row: FlatEvent): ChangeEvent {
  const { eventId: id, eventStatus: status, seq, teamId, kind, objectId, laneId, teamName, workflowId, workflowName } = row;
  const { initiatorContext, lineage, data, at } = row;
  return { id, seq, teamId, kind, status, objectId, laneId, teamName, workflowId, workflowName, initiatorContext, lineage, data, at };
}

/** One process dispatches at a time, so that deliveries are created in the order of events. @returns false if another one does */
export async function tryDispatching(tx: Transaction): Promise<boolean> {
  const [row] = await tx<{ isFree: boolean }[]>`select pg_try_advisory_xact_lock(hashtext('millrace.dispatch')) as "isFree"`;
  return row?.isFree === true;
}

/** Events that nobody has examined yet, in their order (index change_event_open). */
export async function listOpenEvents(db: Queryable, limit: number): Promise<ChangeEvent[]> {
  const rows = await db<FlatEvent[]>`
    select ${eventColumns(db)} from change_event e where e.dispatched_at is null order by e.seq limit ${limit}`;
  return rows.map(toEvent);
}

interface PendingEvents {
  hasOpen: boolean;
  /** There are subscribers, so an event may come soon. */
  isWanted: boolean;
}

export async function findPendingEvents(db: Queryable): Promise<PendingEvents> {
  const [row] = await db<PendingEvents[]>`
    select exists (select from change_event where dispatched_at is null) as "hasOpen",
      is_kind_wanted('workflowrun') or exists (select from subscription where is_active) as "isWanted"`;
  if (!row) throw new Error("the statement about events returned no row");
  return row;
}

/** Marks them as processed. Those without a delivery are deleted. */
export async function closeEvents(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`delete from change_event e where e.id = any(${[...ids]}::uuid[]) and not exists (select from delivery d where d.event_id = e.id)`;
  await tx`update change_event set dispatched_at = (select db_now()) where id = any(${[...ids]}::uuid[])`;
}

type OwnEvent = Pick<ChangeEvent, "teamId" | "teamName" | "objectId" | "status" | "data"> & { kind: "subscription" | "invitation" };

/** An event for a single receiver, as the test of a subscription: nobody else gets it, so it counts as processed. */
export async function insertOwnEvent(db: Queryable, event: OwnEvent): Promise<ChangeEvent> {
  const [row] = await db<FlatEvent[]>`
    insert into change_event as e (team_id, kind, status, object_id, lane_id, team_name, data, dispatched_at)
    values (${event.teamId}, ${event.kind}, ${event.status}, ${event.objectId}, new_id(), ${event.teamName},
      ${JSON.stringify(event.data)}::json, db_now())
    returning ${eventColumns(db)}`;
  if (!row) throw new Error("the event was not written");
  return toEvent(row);
}

/** The subscribers to events of several teams: the dispatcher queries a whole batch at once. */

export interface ActiveSubscription {
  id: string;
  /** Null: all teams. */
  teamId: string | null;
  channel: SubscriptionChannel;
  filters: EventFilter[];
  kinds: EventKind[];
}

/** Locked so that none of them is deleted before its deliveries are written. */
export async function lockActiveSubscriptions(tx: Transaction, teamIds: readonly string[]): Promise<ActiveSubscription[]> {
  return tx<ActiveSubscription[]>`
    select s.id, s.team_id as "teamId", s.channel, s.filters, s.kinds from subscription s
    where s.is_active and (s.team_id is null or s.team_id = any(${[...teamIds]}::uuid[])) order by s.id for key share`;
}

/** The receiver wants nothing any more. What is queued for it stays, for when someone lets it continue. */
export async function pauseSubscription(db: Queryable, id: string, statusMessage: string): Promise<void> {
  await db`update subscription set is_active = false, status_message = ${statusMessage}, changed_at = db_now() where id = ${id} and is_active`;
}
