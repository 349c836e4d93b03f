import { inject, onTestFinished } from "vitest";
import { type PoolSql, type PostgresOptions, postgres } from "../src/postgres.ts";

/** Where the suite's server is. */
export function serverOptions(): PostgresOptions {
  const { application: address } = inject("testServer");
  if (!("url" in address)) {
    const { socketFolder, user, database, password } = address;
    return { maxConnections: 1, path: `${socketFolder}/.s.PGSQL.5432`, user, database, ...(password && { password }) };
  }
  const { hostname, port, username, password, pathname } = new URL(address.url);
  const [user, word, database] = [username, password, pathname.slice(1)].map(decodeURIComponent);
  return { maxConnections: 1, host: [hostname], port: Number(port) || 5432, user, password: word, database };
}

/** A pool of one connection on it, unless there are to be more; closed after the test. */
export function testPool(options: Partial<PostgresOptions> = {}): PoolSql {
  const sql = postgres({ ...serverOptions(), ...options });
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}
