import { createPool, type Database, type PoolOptions } from "./database.ts";
import type { DatabaseAddress } from "./database-address.ts";
import { sqlState } from "./database-error.ts";

/**
 * Is there a pooler between the service and the server, and of which kind?
 *
 * A pooler invents the process id that it sends at the start of a connection, so it differs from the one that the server itself reports. In
 * transaction pooling a connection has a server process only while a transaction is open: the process of our last statement is then given
 * to a second connection that begins a transaction, or does not execute our next statement. A pooler that does neither keeps a process for
 * each connection (session pooling).
 *
 * Why it matters: PgBouncer reassigns a connection's process after the first response although more statements are pending on it. Their
 * responses then reach another client (seen with 1.18, with and without prepared statements). Behind any pooler statements are therefore
 * sent one at a time, and prepared only if a test showed that it works.
 */
export type Pooling = "none" | "session" | "transaction";

const options: PoolOptions = { maxConnections: 1, prepare: false, pipelines: false, applicationName: "millrace start" };
/** A pooler without a free process makes a connection wait. In transaction pooling there is one: the process that was just released. */
const patienceMs = 5_000;

/** @param sendsTimeouts false if the address is used in addition to a direct one */
export async function findPooling(address: DatabaseAddress, sendsTimeouts: boolean): Promise<Pooling> {
  return withTwo(address, sendsTimeouts, async (first, second) => {
    const before = await askProcess(first);
    if (before.actual === before.announced) return "none";
    const isShared = second.begin(async (tx) => {
      const [inside] = await tx<{ pid: number }[]>`select pg_backend_pid() as "pid"`;
      return inside?.pid === before.actual || (await askProcess(first)).actual !== before.actual;
    });
    return (await within(isShared)) ? "transaction" : "session";
  });
}

/**
 * Does a prepared statement outlive its transaction, whichever process is next? PgBouncer supports that from 1.21 on, if
 * `max_prepared_statements` is set.
 */
export async function keepsPrepared(address: DatabaseAddress, sendsTimeouts: boolean): Promise<boolean> {
  const ask = async (sql: Database) => {
    const query = sql`select ${1}::int as "one"`;
    await query;
    // If the server does not know a statement, the driver prepares it again, once.
    return !query.wasPreparedAgain;
  };
  const act = async (first: Database, second: Database) => {
    await ask(first);
    // The process that knows the statement is busy now, or another one is used.
    const isKept = second.begin(async (tx) => {
      await tx`select pg_backend_pid()`;
      return ask(first);
    });
    return (await within(isKept)) === true;
  };
  try {
    return await withTwo(address, sendsTimeouts, act, { prepare: true });
  } catch (error) {
    if (sqlState(error) === "26000") return false;
    throw error;
  }
}

async function withTwo<T>(
  address: DatabaseAddress,
  sendsTimeouts: boolean,
  act: (first: Database, second: Database) => Promise<T>,
  more: PoolOptions = {},
): Promise<T> {
  const [first, second] = [0, 1].map(() => createPool(address, { ...options, sendsTimeouts, ...more })) as [Database, Database];
  try {
    return await act(first, second);
  } finally {
    await Promise.all([first.end({ timeout: 1 }), second.end({ timeout: 1 })]);
  }
}

async function askProcess(sql: Database): Promise<{ actual: number; announced: number }> {
  const query = sql<{ pid: number }[]>`select pg_backend_pid() as "pid"`;
  const [process] = await query;
  return { actual: process?.pid ?? 0, announced: query.processId ?? 0 };
}

/** After the time limit, everything is given up with its connections. */
async function within<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
