import { type PoolSql, postgres } from "@millrace/postgres/postgres.ts";
import type { TransactionSql } from "@millrace/postgres/transaction.ts";
import { addressOptions, type DatabaseAddress } from "./database-address.ts";

/** The pool of connections. Use it for single statements; use `transaction` for more. */
export type Database = PoolSql;
/** The handle of an open transaction. While it is open, its code must not use the pool: a full pool would wait for itself. */
export type Transaction = TransactionSql;
/** The first parameter of every function of `store`: the pool, or the handle of a transaction. */
export type Queryable = Database | Transaction;

export interface PoolOptions {
  maxConnections?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** The server cancels a statement that takes longer; 0 means no limit. */
  statementTimeoutMs?: number;
  /** The server ends a transaction that is idle for so long, and releases its locks; 0 means no limit. */
  idleInTransactionTimeoutMs?: number;
  /** False behind a pooler that can't keep prepared statements (PgBouncer older than 1.21). */
  prepare?: boolean;
  /** False behind a pooler: it may give the connection's next statement to another session while responses of this one are pending. */
  pipelines?: boolean;
  /** False behind a pooler that refuses time limits as options of the connection; `openDatabase` then sets them on the role. */
  sendsTimeouts?: boolean;
  /** The server plans with `plannerSettings`. Only past a pooler, which refuses such options. */
  steersPlanner?: boolean;
  /**
   * Keeps connections open permanently. Otherwise an idle one is closed after a minute, which saves its memory, and any within the hour.
   */
  keepsConnections?: boolean;
  /** Messages of the channels that a connection of this pool listens to. */
  onNotify?: (channel: string, message: string) => void;
  /** A new connection fails if the server has not answered by then. Default 10,000. */
  connectTimeoutMs?: number;
  /** A connection was closed, or could not be made. */
  onClose?: () => void;
  /** Called with each statement that is sent. */
  onStatement?: (text: string, values: readonly unknown[]) => void;
  /** Called with each response, and the milliseconds that it took. */
  onAnswer?: (ms: number) => void;
}

/**
 * Opens a pool; connections are opened when needed. How values are converted:
 * - `timestamptz(3)` is a Date, `bigint` a number (a RangeError beyond 2^53), `numeric` text, `bytea` a Buffer.
 * - `json` and `jsonb` are read parsed; select `column::text` to get the original text.
 * - A string given for `json` or `jsonb` is JSON text and is sent unchanged; any other value is stringified.
 * - A list is one parameter: `= any(${ids})`, `unnest(${names}::text[])`. An empty list, or one that begins with null, has the type that
 *   the statement gives it; `sql.array(dates, 1184)` sets it (bool 16, bytea 17).
 */
export function createPool(address: DatabaseAddress, options: PoolOptions = {}): Database {
  const { settings = {}, ...place } = addressOptions(address);
  return postgres({ ...poolSettings(options), ...place, settings: { ...sessionSettings(options), ...settings } });
}

export const defaultStatementTimeoutMs = 30_000;
export const defaultIdleInTransactionTimeoutMs = 60_000;

/**
 * `jit`: the cost estimates for a statement over many partitions are far too high, and the compiler then takes seconds for something that
 * runs in milliseconds. `enable_seqscan`: a table without statistics (any table in the first minutes of a database, each partition in those
 * of its month) counts as nearly empty. A plan that is cached then would scan it for each statement, however large it has become. With this
 * setting an index is used wherever one can be; only what no index can find is still scanned.
 */
export const plannerSettings = { jit: "off", enable_seqscan: "off" } as const;

function poolSettings(options: PoolOptions) {
  return {
    maxConnections: options.maxConnections ?? 20,
    prepares: options.prepare ?? true,
    ...(options.pipelines === false ? { mostInProgress: 1 } : {}),
    pauseMs: reconnectPauseMs,
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    ...(options.keepsConnections ? {} : { idleTimeoutMs: 60_000, lifetimeMs: 3_600_000 }),
    ...(options.onNotify ? { onNotification: options.onNotify } : {}),
    ...(options.onClose ? { onClose: options.onClose } : {}),
    ...(options.onStatement ? { onStatement: options.onStatement } : {}),
    ...(options.onAnswer ? { onAnswer: options.onAnswer } : {}),
  };
}

/** A limit of 0 is left out: it is the server's default, and a pooler refuses the option. */
function sessionSettings(options: PoolOptions): Record<string, string> {
  const statementMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const idleMs = options.idleInTransactionTimeoutMs ?? defaultIdleInTransactionTimeoutMs;
  const sends = options.sendsTimeouts !== false;
  return {
    application_name: options.applicationName ?? "millrace",
    TimeZone: "UTC",
    ...(sends && statementMs > 0 ? { statement_timeout: String(statementMs) } : {}),
    ...(sends && idleMs > 0 ? { idle_in_transaction_session_timeout: String(idleMs) } : {}),
    ...(options.steersPlanner ? plannerSettings : {}),
  };
}

/** Short, because the database usually returns soon; random, so that not all connections retry at the same moment. */
function reconnectPauseMs(failures: number): number {
  return Math.min(50 * 2 ** failures, 2_000) * (0.5 + Math.random() / 2);
}
