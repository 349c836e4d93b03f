import { statSync } from "node:fs";
import { resolve } from "node:path";
import { StartError } from "./base/error/start-error.ts";
import { dbCommand } from "./base/file/repository-root.ts";
import { createLog, type Log } from "./base/process/log.ts";
import { openKeyring } from "./base/secret/key-file.ts";
import { type Config, readConfig } from "./config/read-config.ts";
import { isKeysVerb, keysCommand } from "./domain/secret/keys-command.ts";
import { backUp } from "./store/database/backup.ts";
import { createPool, type Database } from "./store/database/database.ts";
import { type DatabaseAddress, describeAddress } from "./store/database/database-address.ts";
import { migrate, readSchemaVersion } from "./store/database/migrate.ts";
import { openDatabase } from "./store/database/open-database.ts";
import { restore } from "./store/database/restore.ts";
import { EmbeddedServer, findRunningServer } from "./store/embedded/embedded.ts";

/** `npm run db -- backup FILE | restore FILE | migrate | keys …`, on the database that the settings name, whether the service runs or not. */
export async function main(args: readonly string[]): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: this is where a program of its own begins
  const env = process.env;
  try {
    process.stdout.write(`${await runCommand(args, env)}\n`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`millrace: ${error.message}\n`);
    process.exitCode = 1;
  }
}

const usage = `Missing or unknown command. Use ${dbCommand} backup FILE, ${dbCommand} restore FILE (into an empty database), ${dbCommand} migrate, or ${dbCommand} keys (status, reseal, or forget KEY-ID)`;

/** Answers what to tell the person at the terminal. */
async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [verb, name, ...more] = args;
  if (verb === "keys") return runKeys(name ?? "status", more, env);
  if (verb === "migrate" && name === undefined) return withDatabase(pickDatabaseSettings(env), true, bringUpToDate);
  if ((verb !== "backup" && verb !== "restore") || !name || more.length > 0) throw new StartError(usage);
  // npm changes to the repository's root; the name was typed somewhere else.
  const file = resolve(env.INIT_CWD ?? process.cwd(), name);
  const database = pickDatabaseSettings(env);
  return withDatabase(database, verb === "backup", async (sql, where) => {
    const { tables, rows } = verb === "backup" ? await backUp(sql, file) : await restore(sql, file);
    const amount = `${rows} rows of ${tables} tables`;
    if (verb === "restore") return `restored ${amount} from ${file} into ${where}`;
    const size = (statSync(file).size / 1e6).toFixed(1);
    return `saved ${amount} of ${where} in ${file} (${size} MB). It does not contain the encryption key, which you need to read stored secrets: back up the key too`;
  });
}

/** What the first process of a new version does at its start. Processes that run go on, as they do beside a newer one. */
async function bringUpToDate(sql: Database, where: string): Promise<string> {
  const before = await readSchemaVersion(sql);
  await migrate(sql);
  const after = await readSchemaVersion(sql);
  if (before === after) return `${where} has schema ${after} already`;
  return before === 0 ? `created schema ${after} in ${where}` : `brought ${where} from schema ${before} to ${after}`;
}

async function runKeys(verb: string, rest: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  if (!isKeysVerb(verb) || rest.length !== (verb === "forget" ? 1 : 0)) throw new StartError(usage);
  const { database, encryptionKey } = readConfig(env);
  const keyring = openKeyring("file" in encryptionKey ? { ...encryptionKey, isMadeIfMissing: false } : encryptionKey);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  return withDatabase(database, true, (sql) => keysCommand(sql, keyring, verb, { keyId: rest[0], print }));
}

/** The key is not needed here, so its absence must not stand in the way. */
function pickDatabaseSettings(env: NodeJS.ProcessEnv): Config["database"] {
  return readConfig({ ...env, MILLRACE_ENCRYPTION_KEY: "not needed", MILLRACE_ENCRYPTION_KEY_FILE: "" }).database;
}

/** Finds or starts the database, for one use of it. */
export async function withDatabase<T>(
  database: Config["database"],
  mayBeRunning: boolean,
  act: (sql: Database, where: string) => Promise<T>,
  log: Log = createLog("warn"),
): Promise<T> {
  if (database.kind === "external") {
    const address = { url: database.directUrl ?? database.url };
    const setting = database.directUrl === undefined ? "DATABASE_URL" : "MILLRACE_DATABASE_DIRECT_URL";
    return withPool(address, log, (sql) => act(sql, `the database at ${describeAddress(address)}`), setting);
  }
  const where = `the embedded database in ${database.folder}`;
  const running = findRunningServer(database.folder);
  if (running && mayBeRunning) return withPool(running, log, (sql) => act(sql, where));
  const server = await EmbeddedServer.start({ folder: database.folder, binFolder: database.binFolder, log });
  try {
    return await withPool(server.address, log, (sql) => act(sql, where));
  } finally {
    await server.stop();
  }
}

async function withPool<T>(address: DatabaseAddress, log: Log, act: (sql: Database) => Promise<T>, setting?: string): Promise<T> {
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
