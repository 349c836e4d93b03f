import { userInfo } from "node:os";
import type { Place } from "./open-socket.ts";
import type { PoolOptions } from "./options.ts";
import { ConnectionPool, type PoolFigures } from "./pool.ts";
import { makeSql, type Sql } from "./sql.ts";
import { runTransaction, type TransactionSql } from "./transaction.ts";

/** Creates statements that any connection of a pool may execute, and transactions. */
export interface PoolSql extends Sql {
  /** @param mode of BEGIN; if given, it comes before the work */
  begin<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  begin<T>(mode: string, work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  /** Reserves a connection for one caller until `release`. No other caller's transaction uses it. */
  reserve(): Promise<ReservedSql>;
  figures(): PoolFigures;
  /** For how many milliseconds the server has answered nothing on any connection that waits for it; 0 if none does. */
  silentMs(): number;
  /** Closes all connections at once, since the server does not answer: what is in progress fails. The next work opens new ones. */
  breakOff(): void;
  /** Accepts no new work, completes the accepted work, and closes. @param options.timeout in seconds, after which unfinished work fails */
  end(options?: { timeout?: number }): Promise<void>;
}

export interface ReservedSql extends Sql {
  release(): void;
}

export interface PostgresOptions extends Partial<Omit<PoolOptions, "places" | "maxConnections">> {
  maxConnections: number;
  /** The path of a socket on this machine. */
  path?: string;
  /** Tried in this order. */
  host?: readonly string[];
  /** One port for all hosts, or one for each. */
  port?: number | readonly number[];
}

/**
 * Opens a pool; it does not connect before the first statement. Options of the server that are not given are taken from libpq's variables
 * (PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE).
 */
export function postgres(options: PostgresOptions): PoolSql {
  const pool = new ConnectionPool(withDefaults(options));
  const sql = makeSql((query) => pool.send(query));
  async function begin<T>(first: string | ((sql: TransactionSql) => Promise<T>), second?: (sql: TransactionSql) => Promise<T>): Promise<T> {
    const [mode, work] = typeof first === "string" ? [first, second!] : ["", first];
    const session = await pool.reserve();
    try {
      return await runTransaction(session, mode, work);
    } finally {
      pool.release(session);
    }
  }
  async function reserve(): Promise<ReservedSql> {
    const session = await pool.reserve();
    return Object.assign(
      makeSql((query) => session.send(query)),
      { release: () => pool.release(session) },
    );
  }
  const end = ({ timeout }: { timeout?: number } = {}) => pool.end(timeout === undefined ? undefined : timeout * 1000);
  return Object.assign(sql, {
    begin,
    reserve,
    figures: () => pool.figures,
    silentMs: () => pool.silentMs,
    breakOff: () => pool.breakOff(),
    end,
  });
}

function withDefaults(options: PostgresOptions): PoolOptions {
  // biome-ignore lint/style/noProcessEnv: libpq's own variables, which every program that speaks to PostgreSQL understands
  const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;
  const user = options.user ?? PGUSER ?? userInfo().username;
  const hosts = options.host ?? (PGHOST ?? "localhost").split(",");
  const ports = [options.port ?? (Number(PGPORT) || 5432)].flat();
  return {
    tls: false,
    target: "any",
    settings: {},
    connectTimeoutMs: 10_000,
    prepares: true,
    mostInProgress: 100,
    pauseMs: () => 0,
    ...options,
    user,
    password: options.password ?? PGPASSWORD ?? "",
    database: options.database ?? PGDATABASE ?? user,
    places:
      options.path === undefined ? hosts.map((host, at) => placeOf(host, ports[at] ?? (ports[0] as number))) : [{ path: options.path }],
  };
}

function placeOf(host: string, port: number): Place {
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
