import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../base/log.ts";
import { StartError } from "../base/start-error.ts";
import { createPool, type Database, defaultIdleInTransactionTimeoutMs, defaultStatementTimeoutMs, type PoolOptions } from "./database.ts";
import { type DatabaseAddress, describeAddress } from "./database-address.ts";
import { sqlState } from "./transaction.ts";

export interface DatabaseSettings {
  address: DatabaseAddress;
  /** Past a pooler, straight to the server; the same as `address` when there is no pooler. */
  directAddress?: DatabaseAddress | undefined;
  maxConnections?: number;
  prepare?: boolean;
  applicationName?: string;
  /** How long an unreachable server is waited for at the start. */
  patienceMs?: number;
}

/**
 * Opens the pool once the server answers, is new enough and can be written to.
 * @throws StartError that says in one line what is wrong with the server or its settings
 */
export async function openDatabase(settings: DatabaseSettings, log: Log, signal?: AbortSignal): Promise<Database> {
  const { address, directAddress = address } = settings;
  const direct = createPool(directAddress, { maxConnections: 1, fetchTypes: false });
  try {
    await reach(direct, directAddress, { patienceMs: settings.patienceMs ?? 60_000, log, signal });
    await checkServer(direct, directAddress);
    if (settings.directAddress) await setRoleTimeouts(direct);
  } finally {
    await direct.end({ timeout: 1 });
  }
  return createPool(address, poolOptions(settings));
}

function poolOptions({ directAddress, maxConnections, prepare, applicationName }: DatabaseSettings): PoolOptions {
  return {
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(prepare === undefined ? {} : { prepare }),
    ...(applicationName === undefined ? {} : { applicationName }),
    sendsTimeouts: directAddress === undefined,
  };
}

interface Patience {
  patienceMs: number;
  log: Log;
  signal: AbortSignal | undefined;
}

/** A database that starts at the same time as we do may need a moment; wrong credentials do not get better. */
async function reach(pool: Database, address: DatabaseAddress, { patienceMs, log, signal }: Patience): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      await pool`select 1`;
      return;
    } catch (error) {
      const why = describeFailure(error);
      const isFinal = finalStates.has(sqlState(error) ?? "");
      if (isFinal || performance.now() > deadline) throw unreachable(address, why, error);
      if (tries === 1)
        log.warn(`the database at ${describeAddress(address)} does not answer yet (${why}); trying for ${Math.round(patienceMs / 1000)} s`);
      await wait(Math.min(100 * tries, 1_000), undefined, { signal });
    }
  }
}

/** Wrong password, unknown role, no such database, no privilege to connect. */
const finalStates = new Set(["28P01", "28000", "3D000", "42501"]);

function describeFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return sqlState(error) === undefined ? (code ?? message) : message;
}

function unreachable(address: DatabaseAddress, why: string, cause: unknown): StartError {
  return new StartError(`The database at ${describeAddress(address)} cannot be used: ${why}. Check DATABASE_URL and that the server runs`, {
    cause,
  });
}

async function checkServer(pool: Database, address: DatabaseAddress): Promise<void> {
  const [server] = await pool<{ version: number; versionText: string; encoding: string; isReadOnly: boolean }[]>`
    select current_setting('server_version_num')::int as "version", current_setting('server_version') as "versionText",
           current_setting('server_encoding') as "encoding", current_setting('transaction_read_only')::boolean as "isReadOnly"`;
  const where = `The database at ${describeAddress(address)}`;
  if (server!.version < 150_000) throw new StartError(`${where} is PostgreSQL ${server!.versionText}; Millrace needs 15 or newer`);
  if (server!.encoding !== "UTF8") {
    throw new StartError(`${where} has the encoding ${server!.encoding}; create it with encoding 'UTF8' and template template0`);
  }
  if (server!.isReadOnly) throw new StartError(`${where} is read-only (a standby?); point DATABASE_URL at the primary`);
}

/** A pooler refuses time limits as options of a connection, but every role may set its own defaults for a database. */
async function setRoleTimeouts(direct: Database): Promise<void> {
  const [database] = await direct<{ name: string }[]>`select quote_ident(current_database()) as "name"`;
  const alter = `alter role current_user in database ${database!.name} set`;
  await direct.unsafe(`${alter} statement_timeout = ${defaultStatementTimeoutMs}`);
  await direct.unsafe(`${alter} idle_in_transaction_session_timeout = ${defaultIdleInTransactionTimeoutMs}`);
}
