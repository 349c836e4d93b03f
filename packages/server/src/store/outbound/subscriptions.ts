import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import type { EventKind, SubscriptionChannel } from "@millrace/contract/outbound/subscription.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable, Transaction } from "../database/database.ts";

/** Subscriptions of a team, or of the instance: then the team is null. */

export interface SubscriptionFields {
  name: string;
  channel: SubscriptionChannel;
  isActive: boolean;
  filters: EventFilter[];
  /** Which events its filters can match. */
  kinds: EventKind[];
  target: Record<string, unknown>;
}

export interface SubscriptionRow extends SubscriptionFields {
  id: string;
  teamId: string | null;
  /** Why it was paused automatically. */
  statusMessage: string | null;
  hasSecret: boolean;
  /** Until then two secrets sign; null: only one does. */
  oldSecretUntil: Date | null;
  createdBy: string | null;
  createdAt: Date;
  changedAt: Date;
}

const columns = (db: Queryable) => db`
  s.id, s.team_id as "teamId", s.name, s.channel, s.is_active as "isActive", s.status_message as "statusMessage", s.filters, s.kinds, s.target,
  s.secret is not null as "hasSecret", case when s.old_secret_until > db_now() then s.old_secret_until end as "oldSecretUntil",
  s.created_by as "createdBy", s.created_at as "createdAt", s.changed_at as "changedAt"`;

const inScope = (db: Queryable, teamId: string | null) => (teamId === null ? db`s.team_id is null` : db`s.team_id = ${teamId}`);

/** @param ref its id or its name */
export async function findSubscription(db: Queryable, teamId: string | null, ref: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db<SubscriptionRow[]>`
    select ${columns(db)} from subscription s where ${inScope(db, teamId)} and ${isId(ref) ? db`s.id = ${ref}` : db`s.name = ${ref}`}`;
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockSubscription(db: Queryable, teamId: string | null, ref: string): Promise<SubscriptionRow | undefined> {
  const found = await findSubscription(db, teamId, ref);
  if (!found) return undefined;
  await db`select 1 from subscription s where ${inScope(db, teamId)} and s.id = ${found.id} for no key update`;
  return findSubscription(db, teamId, found.id);
}

export async function countSubscriptions(db: Queryable, teamId: string | null): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from subscription s where ${inScope(db, teamId)}`;
  return row?.count ?? 0;
}

/** One page, by date of creation and then id. */
export async function listSubscriptions(
  db: Queryable,
  teamId: string | null,
  page: { limit: number; offset: number },
): Promise<SubscriptionRow[]> {
  return db<SubscriptionRow[]>`
    select ${columns(db)} from subscription s where ${inScope(db, teamId)}
    order by s.created_at, s.id limit ${page.limit} offset ${page.offset}`;
}

/** Serializes writes within a scope, so that they can't exceed the limit, or use the same name. */
export async function lockSubscriptionScope(tx: Transaction, teamId: string | null): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`millrace.subscription.${teamId ?? ""}`}))`;
}

/** The id of a future subscription: its secret is encrypted for it. */
export async function newSubscriptionId(db: Queryable): Promise<string> {
  const [row] = await db<{ id: string }[]>`select new_id() as id`;
  if (!row) throw new Error("the database gave no id");
  return row.id;
}

export async function insertSubscription(
  db: Queryable,
  { id, teamId, secret, createdBy }: { id: string; teamId: string | null; secret: string | null; createdBy: string },
  fields: SubscriptionFields,
): Promise<void> {
  await db`
    insert into subscription (id, team_id, name, channel, is_active, filters, kinds, target, secret, created_by)
    values (${id}, ${teamId}, ${fields.name}, ${fields.channel}, ${fields.isActive}, ${JSON.stringify(fields.filters)}::json, ${fields.kinds},
      ${JSON.stringify(fields.target)}::json, ${secret}, ${createdBy})`;
}

/** Encrypted; undefined if it has none. */
export async function findSecret(db: Queryable, teamId: string | null, id: string): Promise<string | undefined> {
  const [row] = await db<{ secret: string | null }[]>`select s.secret from subscription s where ${inScope(db, teamId)} and s.id = ${id}`;
  return row?.secret ?? undefined;
}

export async function updateSubscription(db: Queryable, teamId: string | null, id: string, fields: SubscriptionFields): Promise<void> {
  await db`
    update subscription s set name = ${fields.name}, is_active = ${fields.isActive}, filters = ${JSON.stringify(fields.filters)}::json,
      kinds = ${fields.kinds}, target = ${JSON.stringify(fields.target)}::json, changed_at = db_now(),
      status_message = case when ${fields.isActive} then null else s.status_message end
    where ${inScope(db, teamId)} and s.id = ${id}`;
}

/** How long the previous secret stays valid beside it. */
export async function rotateSecret(db: Queryable, teamId: string | null, id: string, secret: string, overlapMs: number): Promise<void> {
  await db`
    update subscription s set old_secret = s.secret, secret = ${secret}, changed_at = db_now(),
      old_secret_until = case when s.secret is not null then db_now() + make_interval(secs => ${overlapMs / 1000}::float8) end
    where ${inScope(db, teamId)} and s.id = ${id}`;
}

/** For another address: the previous secret signs nothing more. */
export async function replaceSecret(db: Queryable, teamId: string | null, id: string, secret: string): Promise<void> {
  await db`
    update subscription s set secret = ${secret}, old_secret = null, old_secret_until = null, changed_at = db_now()
    where ${inScope(db, teamId)} and s.id = ${id}`;
}

/** With its deliveries. */
export async function deleteSubscription(db: Queryable, teamId: string | null, id: string): Promise<void> {
  await db`delete from subscription s where ${inScope(db, teamId)} and s.id = ${id}`;
}

export async function deleteSubscriptionsOfTeam(db: Queryable, teamId: string): Promise<void> {
  await db`delete from subscription where team_id = ${teamId}`;
}
