import { afterAll, inject, onTestFinished, type ProvidedContext } from "vitest";
import { createPool, type Database, type PoolOptions } from "../../src/store/database/database.ts";
import { type DatabaseAddress, withDatabase } from "../../src/store/database/database-address.ts";

export interface TestDatabase {
  /** A pool with the same options as in production. */
  sql: Database;
  /** For further pools or other processes of the same test. */
  address: DatabaseAddress;
  /** The same as a URL that postgres.js, psql and DATABASE_URL accept. */
  url: string;
  name: string;
}

let count = 0;

/**
 * A fresh database with the complete schema, for this test file alone; dropped after it. Call it at the top level of the file (or of a
 * describe): `const { sql } = await testDatabase();`
 */
export async function testDatabase(options: PoolOptions = {}): Promise<TestDatabase> {
  const created = await createDatabase(({ suite, strategy }) => `template ${suite} strategy ${strategy}`, options);
  afterAll(created.drop);
  return created.database;
}

/** A database without any table, for one test. */
export async function emptyDatabase(options: PoolOptions = {}): Promise<TestDatabase> {
  const created = await createDatabase(() => "template template0 encoding 'UTF8'", options);
  onTestFinished(created.drop);
  return created.database;
}

async function createDatabase(from: (server: ProvidedContext["testServer"]) => string, options: PoolOptions) {
  const server = inject("testServer");
  const name = `${server.suite}_${process.pid}_${process.hrtime.bigint().toString(36)}_${count++}`;
  const maintenance = createPool(server.maintenance, { maxConnections: 1 });
  const [owner] = await maintenance<{ name: string }[]>`
    select quote_ident(pg_get_userbyid(datdba)) as "name" from pg_database where datname = ${server.suite}`;
  await maintenance.unsafe(`create database ${name} owner ${owner!.name} ${from(server)}`);
  const address = withDatabase(server.application, name);
  const sql = createPool(address, { maxConnections: 10, steersPlanner: true, ...options });
  const drop = async () => {
    await sql.end({ timeout: 1 });
    await maintenance.unsafe(`drop database if exists ${name} with (force)`);
    await maintenance.end({ timeout: 1 });
  };
  return { database: { sql, address, url: databaseUrl(address), name }, drop };
}

/** Sets this database's clock to this many milliseconds ahead of the real one (not of the last call). */
export async function setTestTime(sql: Database, offsetMs: number): Promise<void> {
  await sql.unsafe(`create or replace function db_now() returns timestamptz language sql volatile parallel safe
    return date_trunc('milliseconds', clock_timestamp() + interval '${Math.round(offsetMs)} milliseconds')`);
}

/** Advances this database's clock by this many milliseconds from its current value. */
export async function moveTime(sql: Database, byMs: number): Promise<void> {
  const [row] = await sql<{ offsetMs: number }[]>`select extract(epoch from db_now() - clock_timestamp())::float8 * 1000 as "offsetMs"`;
  await setTestTime(sql, (row?.offsetMs ?? 0) + byMs);
}

/**
 * Makes sure that the month lasts that much longer: moves the clock back if necessary. Not into the next month, since ids of runs have the
 * time of this process.
 *
 * @returns by how much the clock was moved, in milliseconds: 0 or less
 */
export async function leaveEndOfMonth(sql: Database, ms: number): Promise<number> {
  const now = new Date();
  const left = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime();
  const moved = left > ms ? 0 : -ms;
  await moveTime(sql, moved);
  return moved;
}

function databaseUrl(address: DatabaseAddress): string {
  if ("url" in address) return address.url;
  return `postgres://${address.user}@localhost/${address.database}?host=${encodeURIComponent(address.socketFolder)}`;
}
