import type { Log } from "./base/process/log.ts";
import { createLog } from "./base/process/log.ts";
import type { Config } from "./config/read-config.ts";
import { createPool, type Database } from "./store/database/database.ts";
import { type DatabaseAddress, describeAddress } from "./store/database/database-address.ts";
import { openDatabase } from "./store/database/open-database.ts";
import { EmbeddedServer, findRunningServer } from "./store/embedded/embedded.ts";

type Act<T> = (sql: Database, where: string) => Promise<T>;

/** Finds or starts the database for a single use. */
export async function withDatabase<T>(
  database: Config["database"],
  mayBeRunning: boolean,
  act: Act<T>,
  log: Log = createLog("warn"),
): Promise<T> {
  if (database.kind === "external") {
    const address = { url: database.directUrl ?? database.url };
    const setting = database.directUrl === undefined ? "DATABASE_URL" : "MILLRACE_DATABASE_DIRECT_URL";
    return withExternalDatabase(address, { log, setting }, act);
  }
  const where = `the embedded database in ${database.folder}`;
  const running = findRunningServer(database.folder);
  if (running && mayBeRunning) return withPool(running, { log }, (sql) => act(sql, where));
  const server = await EmbeddedServer.start({ folder: database.folder, binFolder: database.binFolder, log });
  try {
    return await withPool(server.address, { log }, (sql) => act(sql, where));
  } finally {
    await server.stop();
  }
}

/** @param options setting: the name of the setting with the address, for messages */
export function withExternalDatabase<T>(address: DatabaseAddress, options: { log: Log; setting: string }, act: Act<T>): Promise<T> {
  return withPool(address, options, (sql) => act(sql, `the database at ${describeAddress(address)}`));
}

async function withPool<T>(
  address: DatabaseAddress,
  { log, setting }: { log: Log; setting?: string },
  act: (sql: Database) => Promise<T>,
): Promise<T> {
  const named = setting === undefined ? {} : { setting };
  const probe = await openDatabase({ address, ...named, maxConnections: 1, patienceMs: 5_000 }, log);
  await probe.end();
  const sql = createPool(address, {
    maxConnections: 1,
    statementTimeoutMs: 0,
    idleInTransactionTimeoutMs: 0,
    applicationName: "millrace db",
  });
  try {
    return await act(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
