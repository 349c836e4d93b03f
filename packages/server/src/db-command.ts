import { statSync } from "node:fs";
import { resolve } from "node:path";
import { StartError } from "./base/error/start-error.ts";
import { dbCommand } from "./base/file/repository-root.ts";
import { openKeyring } from "./base/secret/key-file.ts";
import { type Config, readConfig } from "./config/read-config.ts";
import { moveDatabase } from "./db-move.ts";
import { isKeysVerb, keysCommand } from "./domain/secret/keys-command.ts";
import { backUp } from "./store/database/backup/backup.ts";
import { restore } from "./store/database/backup/restore.ts";
import type { Database } from "./store/database/database.ts";
import { migrate, readSchemaVersion } from "./store/database/schema/migrate.ts";
import { refuseMoved } from "./store/embedded/moved-mark.ts";
import { withDatabase } from "./with-database.ts";

/** `npm run db -- backup FILE | restore FILE | migrate | move --to URL | keys …`, on the database that the settings name. */
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

const usage = `Missing or unknown command. Use ${dbCommand} backup FILE, ${dbCommand} restore FILE (into an empty database), ${dbCommand} migrate, ${dbCommand} move --to URL, or ${dbCommand} keys (status, reseal, or forget KEY-ID)`;

/** Returns the message for the terminal. */
async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [verb, name, ...more] = args;
  if (verb === "keys") return runKeys(name ?? "status", more, env);
  if (verb === "migrate" && name === undefined) return withDatabase(pickCurrentDatabase(env), true, bringUpToDate);
  if (verb === "move") return runMove(args.slice(1), env);
  if ((verb !== "backup" && verb !== "restore") || !name || more.length > 0) throw new StartError(usage);
  // npm changes to the repository's root, but the path was typed elsewhere.
  const file = resolve(env.INIT_CWD ?? process.cwd(), name);
  const database = verb === "backup" ? pickDatabaseSettings(env) : pickCurrentDatabase(env);
  return withDatabase(database, verb === "backup", async (sql, where) => {
    const { tables, rows } = verb === "backup" ? await backUp(sql, file) : await restore(sql, file);
    const amount = `${rows} rows of ${tables} tables`;
    if (verb === "restore") return `restored ${amount} from ${file} into ${where}`;
    const size = (statSync(file).size / 1e6).toFixed(1);
    return `saved ${amount} of ${where} in ${file} (${size} MB). It does not contain the encryption key, which you need to read stored secrets: back up the key too`;
  });
}

/** The same as the first process of a new version does when it starts. Running processes continue, as they do beside a newer one. */
async function bringUpToDate(sql: Database, where: string): Promise<string> {
  const before = await readSchemaVersion(sql);
  await migrate(sql);
  const after = await readSchemaVersion(sql);
  if (before === after) return `${where} has schema ${after} already`;
  return before === 0 ? `created schema ${after} in ${where}` : `brought ${where} from schema ${before} to ${after}`;
}

/** Without `--to`, the target is the address in the settings, which no process list shows. The source is always the embedded database. */
async function runMove(rest: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [flag, to = env.DATABASE_URL ?? "", ...more] = rest;
  const isNamed = flag === "--to" && rest.length > 1;
  if ((flag !== undefined && !isNamed) || more.length > 0 || to === "") throw new StartError(usage);
  if (isNamed && env.DATABASE_URL && env.DATABASE_URL !== to)
    throw new StartError(
      `move takes the data out of the embedded database, but DATABASE_URL names another one: unset it. Between two servers, use ${dbCommand} backup FILE and ${dbCommand} restore FILE`,
    );
  const { database, encryptionKey, dataDir } = readConfig({ ...env, DATABASE_URL: "", MILLRACE_DATABASE_DIRECT_URL: "" });
  if (database.kind !== "embedded") throw new StartError(usage);
  const keyFile = "file" in encryptionKey ? encryptionKey.file : undefined;
  return moveDatabase({ source: database, dataDir, keyFile, to, setting: isNamed ? "--to" : "DATABASE_URL" });
}

async function runKeys(verb: string, rest: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  if (!isKeysVerb(verb) || rest.length !== (verb === "forget" ? 1 : 0)) throw new StartError(usage);
  const { database, encryptionKey } = readConfig(env);
  if (database.kind === "embedded") refuseMoved(database.folder);
  const keyring = openKeyring("file" in encryptionKey ? { ...encryptionKey, isMadeIfMissing: false } : encryptionKey);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  return withDatabase(database, true, (sql) => keysCommand(sql, keyring, verb, { keyId: rest[0], print }));
}

/** The key is not needed here, so a missing key must not prevent it. */
function pickDatabaseSettings(env: NodeJS.ProcessEnv): Config["database"] {
  return readConfig(withoutKey(env)).database;
}

export function withoutKey(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, MILLRACE_ENCRYPTION_KEY: "not needed", MILLRACE_ENCRYPTION_KEY_FILE: "" };
}

/** @throws StartError if its data was moved elsewhere; a backup can still be made */
function pickCurrentDatabase(env: NodeJS.ProcessEnv): Config["database"] {
  const database = pickDatabaseSettings(env);
  if (database.kind === "embedded") refuseMoved(database.folder);
  return database;
}
