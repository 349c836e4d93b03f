import type { Queryable } from "../database/database.ts";

/** A sign-in of the command line, until its token is fetched, it is refused, or it expires. */
export interface DeviceSignInRow {
  id: string;
  hostName: string;
  userAgent: string | null;
  clientAddress: string;
  createdAt: Date;
  expiresAt: Date;
  status: "pending" | "approved" | "refused";
  /** Who has approved it. */
  userId: string | null;
  /** How long ago the program last polled; null: never. */
  polledSecondsAgo: number | null;
}

export interface NewDeviceSignIn {
  deviceHash: Buffer;
  userHash: Buffer;
  hostName: string;
  userAgent: string | null;
  clientAddress: string;
  network: string;
  lifetimeSeconds: number;
}

/** Most open ones at a time: from one network, and from all. This limits what anonymous clients can make the service store. */
const mostOfNetwork = 20;
const mostOfAll = 1_000;

const columns = (db: Queryable) => db`
  id, host_name as "hostName", user_agent as "userAgent", client_address as "clientAddress", created_at as "createdAt",
  expires_at as "expiresAt", status, user_id as "userId",
  extract(epoch from (select db_now()) - polled_at)::float8 as "polledSecondsAgo"`;

const isOpen = (db: Queryable) => db`expires_at > (select db_now())`;

/**
 * Undefined while there are too many, or, once in a billion times, because the user code is in use. Two concurrent calls may exceed the
 * limit by a row.
 */
export async function insertDeviceSignIn(db: Queryable, one: NewDeviceSignIn): Promise<{ expiresAt: Date } | undefined> {
  const [row] = await db<{ expiresAt: Date }[]>`
    insert into device_sign_in (device_hash, user_hash, host_name, user_agent, client_address, network, expires_at)
    select ${one.deviceHash}::bytea, ${one.userHash}::bytea, ${one.hostName}, ${one.userAgent}, ${one.clientAddress}, ${one.network},
      (select db_now()) + make_interval(secs => ${one.lifetimeSeconds})
    where (select count(*) from device_sign_in where ${isOpen(db)}) < ${mostOfAll}
      and (select count(*) from device_sign_in where network = ${one.network} and ${isOpen(db)}) < ${mostOfNetwork}
    on conflict do nothing
    returning expires_at as "expiresAt"`;
  return row;
}

/** What a person may approve; undefined if the code is wrong, expired or used. */
export async function findPendingDevice(db: Queryable, userHash: Buffer): Promise<DeviceSignInRow | undefined> {
  const [row] = await db<DeviceSignInRow[]>`
    select ${columns(db)} from device_sign_in where user_hash = ${userHash} and status = 'pending' and ${isOpen(db)}`;
  return row;
}

/** Of two concurrent decisions, one counts. @param userId of the approver; undefined: it is refused */
export async function decideDevice(db: Queryable, userHash: Buffer, userId: string | undefined): Promise<DeviceSignInRow | undefined> {
  const [row] = await db<DeviceSignInRow[]>`
    update device_sign_in set status = ${userId === undefined ? "refused" : "approved"}, user_id = ${userId ?? null}
    where user_hash = ${userHash} and status = 'pending' and ${isOpen(db)} returning ${columns(db)}`;
  return row;
}

/** For the program that started it; locked, so that the token is fetched only once. */
export async function lockDevice(db: Queryable, deviceHash: Buffer): Promise<DeviceSignInRow | undefined> {
  const [row] = await db<DeviceSignInRow[]>`
    select ${columns(db)} from device_sign_in where device_hash = ${deviceHash} and ${isOpen(db)} for update`;
  return row;
}

export async function noteFetch(db: Queryable, id: string): Promise<void> {
  await db`update device_sign_in set polled_at = (select db_now()) where id = ${id}`;
}

export async function deleteDevice(db: Queryable, id: string): Promise<void> {
  await db`delete from device_sign_in where id = ${id}`;
}

export async function deleteOverDevices(db: Queryable): Promise<void> {
  await db`delete from device_sign_in where not ${isOpen(db)}`;
}
