import { StartError } from "../../base/error/start-error.ts";
import { statementSeconds } from "../../base/metrics/metrics.ts";
import type { Log } from "../../base/process/log.ts";
import { createPool, type Database, type PoolOptions } from "./database.ts";
import { type DatabaseAddress, describeAddress } from "./database-address.ts";
import { unreachable } from "./database-failure.ts";
import { findPooling, keepsPrepared } from "./find-pooling.ts";
import { setRoleDefaults } from "./role-defaults.ts";
import { type PatienceOptions, StartPatience } from "./start-patience.ts";

export interface DatabaseSettings {
  address: DatabaseAddress;
  /** Directly to the server, bypassing a pooler; the same as `address` if there is none. */
  directAddress?: DatabaseAddress | undefined;
  /** The setting with the address, for messages; DATABASE_URL unless there is a direct one. */
  setting?: string;
  maxConnections?: number;
  /** `auto`, the default: unless there is a pooler. `true`: also behind a pooler, after a test. */
  prepare?: boolean | "auto";
  applicationName?: string;
  /** How long the start waits for an unreachable server. */
  patienceMs?: number | undefined;
}

/**
 * Opens the pool once the server responds, is new enough and writable.
 * @throws StartError with the problem of the server or its settings in one line
 */
export async function openDatabase(settings: DatabaseSettings, log: Log, signal?: AbortSignal): Promise<Database> {
  const { address, directAddress, setting: own = "DATABASE_URL" } = settings;
  const options = { patienceMs: settings.patienceMs, log, signal };
  const direct: Place = { address: directAddress ?? address, setting: directAddress ? directSetting : own, sendsTimeouts: true };
  const used: Place = { address, setting: own, sendsTimeouts: directAddress === undefined };
  await tryAt(direct, options, () => checkDirect(direct, directAddress !== undefined));
  const statements = await tryAt(used, options, () => chooseStatements(used, settings, log));
  const onAnswer = (ms: number) => statementSeconds.observe(ms / 1000);
  return createPool(address, { ...poolOptions(settings), ...statements, onAnswer });
}

/** Any response other than PostgreSQL's is reported with the address, because something else may listen there. */
async function tryAt<T>({ address, setting }: Place, options: PatienceOptions, act: () => Promise<T>): Promise<T> {
  try {
    return await new StartPatience(address, setting, options).keepTrying(act);
  } catch (error) {
    if (error instanceof StartError || options.signal?.aborted) throw error;
    throw unreachable(address, setting, error);
  }
}

async function checkDirect(direct: Place, isPooled: boolean): Promise<void> {
  await withPool(direct, async (sql) => {
    await checkServer(sql, direct.address);
    if ((await findPooling(direct.address, true)) === "transaction") throw refusePooler(direct);
    if (isPooled) await setRoleDefaults(sql);
  });
}

/** An address, and the setting that holds it. */
interface Place {
  address: DatabaseAddress;
  setting: string;
  sendsTimeouts: boolean;
}

const directSetting = "MILLRACE_DATABASE_DIRECT_URL";

async function withPool(place: Place, act: (sql: Database) => Promise<void>): Promise<void> {
  const sql = createPool(place.address, { maxConnections: 1, prepare: false, sendsTimeouts: place.sendsTimeouts });
  try {
    await act(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function refusePooler({ address, setting }: Place): StartError {
  const where = `The database at ${describeAddress(address)} (${setting}) is behind a pooler in transaction mode`;
  const remedy =
    setting === directSetting ? "it must be the address of the server itself" : `set ${directSetting} to the address of the server itself`;
  return new StartError(`${where}, but LISTEN and migrations need a session of their own: ${remedy}`);
}

/** How statements are sent: prepared and several at a time, unless there is a pooler in between. */
async function chooseStatements(place: Place, { prepare = "auto" }: DatabaseSettings, log: Log): Promise<PoolOptions> {
  const pooling = await findPooling(place.address, place.sendsTimeouts);
  if (pooling === "none") return { prepare: prepare !== false, pipelines: prepare !== false, steersPlanner: true };
  const isPreparing = prepare === true;
  if (isPreparing && !(await keepsPrepared(place.address, place.sendsTimeouts))) {
    throw new StartError(
      `The database at ${describeAddress(place.address)} is behind a pooler that loses prepared statements: remove MILLRACE_DATABASE_PREPARE=true, or set max_prepared_statements of PgBouncer 1.21 or newer`,
    );
  }
  log.info({ pooling, prepare: isPreparing }, "the database is behind a connection pooler: statements are sent one at a time");
  return { prepare: isPreparing, pipelines: false };
}

function poolOptions({ directAddress, maxConnections, applicationName }: DatabaseSettings): PoolOptions {
  return {
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(applicationName === undefined ? {} : { applicationName }),
    sendsTimeouts: directAddress === undefined,
  };
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
