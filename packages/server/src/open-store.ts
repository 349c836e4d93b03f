import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { faultOf, StartError } from "./base/error/start-error.ts";
import { privacyFault } from "./base/file/private-file.ts";
import { EventBus } from "./base/process/event-bus.ts";
import type { Log } from "./base/process/log.ts";
import { openKeyring } from "./base/secret/key-file.ts";
import type { Keyring } from "./base/secret/keyring.ts";
import type { Tracing } from "./base/trace/tracing.ts";
import type { Config } from "./config/read-config.ts";
import { checkEncryptionKeys } from "./domain/secret/check-encryption-keys.ts";
import { createPool, type Database } from "./store/database/database.ts";
import { type DatabaseAddress, describeAddress } from "./store/database/database-address.ts";
import { DatabaseOutage } from "./store/database/database-outage.ts";
import { NotifyBridge } from "./store/database/notify.ts";
import { openDatabase } from "./store/database/open-database.ts";
import { migrate } from "./store/database/schema/migrate.ts";
import { StartPatience } from "./store/database/start-patience.ts";
import { EmbeddedServer } from "./store/embedded/embedded.ts";
import { refuseMoved } from "./store/embedded/moved-mark.ts";

export interface StartOptions {
  /** How long each step of the start is retried while the database drops connections; a minute by default. */
  patienceMs?: number | undefined;
  /** Records runs, requests and deliveries as traces. */
  tracing?: Tracing | undefined;
  /** What the log knows of it, where it leaves out what is part of it. */
  outage?: DatabaseOutage;
}

/** The state of the service, ready for use: the schema is current and the key fits. */
export interface Store {
  sql: Database;
  /** Of the server itself, bypassing any pooler: for sessions that must last. */
  directAddress: DatabaseAddress;
  /** Of the pool `sql`. */
  address: DatabaseAddress;
  keyring: Keyring;
  /** Hints between the parts and processes; see base/process/event-bus.ts. */
  wakes: EventBus;
  /** Retries steps of the start; all of them can be repeated safely. */
  patience: StartPatience;
  /** Where the data is, and which server has it, for the start message. */
  description: string;
  /** Whether it accepts writes now. */
  outage: DatabaseOutage;
  /** Closes connections and the embedded server. Call it when nothing uses the store any more. */
  close(): Promise<void>;
}

/**
 * Starts the embedded server or waits for the external one, migrates the schema and checks the encryption key.
 * @throws StartError with the problem in one line
 */
export async function openStore(
  config: Config,
  log: Log,
  signal?: AbortSignal,
  { patienceMs, outage = new DatabaseOutage() }: StartOptions = {},
): Promise<Store> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    makeDataFolder(config.dataDir);
    const keyring = openKeyring(config.encryptionKey);
    for (const fault of privacyFaults(config)) log.warn(fault);
    const { address, directAddress, description } = await findDatabase(config, log, closers);
    const pool = { maxConnections: config.databaseConnections, prepare: config.databasePrepare };
    const sql = await openDatabase({ address, directAddress, ...pool, patienceMs }, log, signal);
    closers.push(() => sql.end({ timeout: 5 }));
    const direct = directAddress ?? address;
    const patience = new StartPatience(direct, directAddress ? "MILLRACE_DATABASE_DIRECT_URL" : "DATABASE_URL", {
      log,
      signal,
      patienceMs,
    });
    for (const advice of await patience.keepTrying(() => prepareSchema(direct, keyring))) log.warn(advice);
    const wakes = new EventBus();
    const bridge = await patience.keepTrying(() => NotifyBridge.open(wakes, direct, log, patienceMs));
    closers.push(() => bridge.close());
    closers.push(async () => outage.stop());
    return { sql, address, directAddress: direct, keyring, wakes, patience, outage, description, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Files that give full access to anyone who can read them. The start succeeds in spite of wrong permissions, so this is a warning. */
function privacyFaults({ dataDir, encryptionKey }: Config): string[] {
  const faults = [
    "file" in encryptionKey ? privacyFault(encryptionKey.file, "The encryption key in") : undefined,
    privacyFault(join(dataDir, "admin-token"), "The administrator's token in"),
    privacyFault(join(dataDir, "one-time-code"), "The one-time code in"),
    privacyFault(dataDir, "The data folder"),
  ];
  return faults.filter((fault) => fault !== undefined);
}

interface FoundDatabase {
  address: DatabaseAddress;
  directAddress?: DatabaseAddress;
  description: string;
}

async function findDatabase({ database }: Config, log: Log, closers: (() => Promise<unknown>)[]): Promise<FoundDatabase> {
  if (database.kind === "external") {
    const address = { url: database.url };
    const direct = database.directUrl === undefined ? {} : { directAddress: { url: database.directUrl } };
    return { address, ...direct, description: `the database at ${describeAddress(address)}` };
  }
  refuseMoved(database.folder);
  const server = await EmbeddedServer.start({ folder: database.folder, binFolder: database.binFolder, log });
  closers.push(() => server.stop());
  // A move that ended while this start waited for it, or looked for its programs, had the lock until then.
  refuseMoved(database.folder);
  return { address: server.address, description: `the embedded database in ${database.folder} (${server.description})` };
}

/** On a connection of its own without a time limit: some migrations take longer than any request may. */
async function prepareSchema(address: DatabaseAddress, keyring: Keyring): Promise<string[]> {
  const sql = createPool(address, { maxConnections: 1, applicationName: "millrace start", statementTimeoutMs: 0 });
  try {
    await migrate(sql);
    return await checkEncryptionKeys(sql, keyring);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** As root, others may pass through the folder, because the database's user has to reach its part. */
function makeDataFolder(folder: string): void {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    if (mkdirSync(folder, { recursive: true, mode }) !== undefined) chmodSync(folder, mode);
    if (!statSync(folder).isDirectory()) throw new StartError(`MILLRACE_DATA_DIR must be a folder, but ${folder} is not a folder`);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw faultOf(cause, `Cannot create the data folder ${folder}`);
  }
}
