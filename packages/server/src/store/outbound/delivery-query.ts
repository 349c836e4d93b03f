import type { DeliveryChannel, DeliveryStatus } from "@millrace/contract/outbound/delivery.ts";
import { isId } from "../../base/text/uuid.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import type { Queryable } from "../database/database.ts";
import { eventColumns, type FlatEvent, toEvent } from "./change-events.ts";

/** Deliveries for people: those of one subscription, which its team (or the instance) owns. */

export interface DeliveryRow {
  id: string;
  channel: DeliveryChannel;
  status: DeliveryStatus;
  attempts: number;
  dueAt: Date | null;
  createdAt: Date;
  attemptedAt: Date | null;
  endedAt: Date | null;
  lastStatus: number | null;
  lastAnswer: string | null;
  lastError: string | null;
  event: ChangeEvent;
}

const columns = (db: Queryable) => db`
  d.id, d.channel, d.status, d.attempts, d.due_at as "dueAt", d.created_at as "createdAt", d.attempted_at as "attemptedAt",
  d.ended_at as "endedAt", d.last_status as "lastStatus", d.last_answer as "lastAnswer", d.last_error as "lastError", ${eventColumns(db)}`;

type FlatRow = Omit<DeliveryRow, "event"> & FlatEvent;

function toRow(row: FlatRow): DeliveryRow {
  const { id, channel, status, attempts, dueAt, createdAt, attemptedAt, endedAt, lastStatus, lastAnswer, lastError } = row;
  return { id, channel, status, attempts, dueAt, createdAt, attemptedAt, endedAt, lastStatus, lastAnswer, lastError, event: toEvent(row) };
}

const matches = (db: Queryable, subscriptionId: string, statuses: readonly string[] | undefined) => db`
  d.subscription_id = ${subscriptionId} ${statuses?.length ? db`and d.status = any(${[...statuses]})` : db``}`;

export async function countDeliveries(db: Queryable, subscriptionId: string, statuses?: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from delivery d where ${matches(db, subscriptionId, statuses)}`;
  return row?.count ?? 0;
}

/** One page, the newest first (index delivery_subscription); events are read for its rows only. */
export async function listDeliveries(
  db: Queryable,
  subscriptionId: string,
  statuses: readonly string[] | undefined,
  page: { limit: number; offset: number },
): Promise<DeliveryRow[]> {
  const rows = await db<FlatRow[]>`
    select ${columns(db)}
    from (select d.id from delivery d where ${matches(db, subscriptionId, statuses)}
          order by d.id desc limit ${page.limit} offset ${page.offset}) p
    join delivery d on d.id = p.id
    join change_event e on e.id = d.event_id
    order by d.id desc`;
  return rows.map(toRow);
}

export async function findDelivery(db: Queryable, subscriptionId: string, id: string): Promise<DeliveryRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db<FlatRow[]>`
    select ${columns(db)} from delivery d join change_event e on e.id = d.event_id where d.subscription_id = ${subscriptionId} and d.id = ${id}`;
  return row && toRow(row);
}
