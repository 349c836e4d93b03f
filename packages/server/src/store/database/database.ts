import postgres from "postgres";
import { addressOptions, type DatabaseAddress } from "./database-address.ts";

/** The pool of connections. Use it for single statements; use `transaction` for more. */
export type Database = postgres.Sql<{ bigint: number }>;
/** The handle of an open transaction. While it is open, nothing else may use the pool: a full pool would wait for itself. */
export type Transaction = postgres.TransactionSql<{ bigint: number }>;
/** What every function of `store` takes first: the pool, or the handle of a transaction. */
export type Queryable = Database | Transaction;

export interface PoolOptions {
  maxConnections?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** A statement that takes longer is ended by the server; 0 is not a limit. */
  statementTimeoutMs?: number;
  /** A transaction that does nothing for so long is ended by the server, and its locks with it; 0 is not a limit. */
  idleInTransactionTimeoutMs?: number;
  /** False behind a pooler that can't keep prepared statements (PgBouncer older than 1.21). */
  prepare?: boolean;
  /** False behind a pooler: it may give the connection's next statement to another session while answers of this one are under way. */
  pipelines?: boolean;
  /** False behind a pooler that refuses time limits as options of the connection; `openDatabase` then sets them on the role. */
  sendsTimeouts?: boolean;
  /**
   * False has the server compile no statement just in time. Its estimates for a statement over many partitions are far too high,
   * and the compiler then takes seconds for what runs in milliseconds. Only past a pooler, which refuses the option.
   */
  compiles?: boolean;
  /** False saves the query for array types on a connection that never reads or writes an array. */
  fetchTypes?: boolean;
  /** Keeps connections open for good. Otherwise an idle one is closed after a minute, which saves its memory, and any within the hour. */
  keepsConnections?: boolean;
  /** Messages of the channels that a connection of this pool listens to. */
  onNotify?: (channel: string, message: string) => void;
  /** A connection was closed, or could not be made. */
  onClose?: () => void;
}

/**
 * Opens a pool; connections are made when they are needed. How values cross:
 * - `timestamptz(3)` is a Date, `bigint` a number (a RangeError beyond 2^53), `numeric` text, `bytea` a Buffer.
 * - `json` and `jsonb` are read parsed; select `column::text` to get a document to the letter.
 * - A string given for `json` or `jsonb` is JSON text and goes out as it is; any other value is stringified.
 * - A list is one parameter: `= any(${ids})`, `unnest(${names}::text[])`. Dates, booleans and buffers have to be wrapped, because the
 *   driver would take the type of their first member for the whole: `sql.array(dates, 1184)` (bool 16, bytea 17).
 */
export function createPool(address: DatabaseAddress, options: PoolOptions = {}): Database {
  const settings = poolSettings(options);
  const where = addressOptions(address);
  return postgres({ ...settings, ...where, connection: { ...settings.connection, ...(where.connection as object | undefined) } });
}

export const defaultStatementTimeoutMs = 30_000;
export const defaultIdleInTransactionTimeoutMs = 60_000;

function poolSettings(options: PoolOptions) {
  const timeouts = {
    statement_timeout: options.statementTimeoutMs ?? defaultStatementTimeoutMs,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? defaultIdleInTransactionTimeoutMs,
  };
  return {
    max: options.maxConnections ?? 20,
    prepare: options.prepare ?? true,
    ...(options.pipelines === false ? { max_pipeline: 0 } : {}),
    fetch_types: options.fetchTypes ?? true,
    connect_timeout: 10,
    backoff: reconnectPauseSeconds,
    onnotice: () => {},
    ...(options.keepsConnections ? { max_lifetime: null } : { idle_timeout: 60 }),
    ...(options.onNotify ? { onnotify: options.onNotify } : {}),
    ...(options.onClose ? { onclose: options.onClose } : {}),
    types: { bigint: bigintAsNumber, json: jsonAsText },
    connection: {
      application_name: options.applicationName ?? "millrace",
      TimeZone: "UTC",
      ...(options.sendsTimeouts === false ? {} : timeouts),
      ...(options.compiles === false ? { jit: "off" } : {}),
    },
  };
}

/** The database comes back sooner than the driver's own pauses (up to 20 s) would let us notice. */
function reconnectPauseSeconds(retries: number): number {
  return Math.min(0.05 * 2 ** retries, 2) * (0.5 + Math.random() / 2);
}

/** Counts and versions stay far below 2^53; a larger one is a bug that must not be rounded silently. */
const bigintAsNumber = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse(text: string): number {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is outside the safe range of a number`);
    return value;
  },
};

const jsonAsText = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
};
