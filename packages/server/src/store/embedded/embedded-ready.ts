import { setTimeout as wait } from "node:timers/promises";
import { createPool } from "../database/database.ts";
import type { DatabaseAddress } from "../database/database-address.ts";

/** Connects until it succeeds. Gives up without an error when the signal says that the server has ended. */
export async function waitUntilReady(address: DatabaseAddress, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const pool = createPool(address, { maxConnections: 1 });
    try {
      await pool`select 1`;
      return;
    } catch {
      await wait(8);
    } finally {
      await pool.end({ timeout: 0 });
    }
  }
}

/** The application's role and database, created at the first start. */
export async function prepareApplicationDatabase(superuser: DatabaseAddress): Promise<void> {
  const pool = createPool(superuser, { maxConnections: 1 });
  try {
    const [found] = await pool<{ hasRole: boolean; hasDatabase: boolean }[]>`
      select exists (select from pg_roles where rolname = 'millrace') as "hasRole",
             exists (select from pg_database where datname = 'millrace') as "hasDatabase"`;
    if (!found?.hasRole) await pool`create role millrace login nosuperuser nocreatedb nocreaterole`;
    if (!found?.hasDatabase) await pool`create database millrace owner millrace`;
  } finally {
    await pool.end({ timeout: 1 });
  }
}
