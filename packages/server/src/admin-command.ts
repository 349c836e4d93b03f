import { statSync } from "node:fs";
import { join } from "node:path";
import { explainFault, StartError } from "./base/error/start-error.ts";
import { adminCommand } from "./base/file/repository-root.ts";
import { type Config, readConfig } from "./config/read-config.ts";
import { withoutKey } from "./db-command.ts";
import { resetAccess } from "./domain/identity/reset-access.ts";
import { requireSchema } from "./domain/secret/keys-command.ts";
import { rotateKey } from "./domain/secret/rotate-key.ts";
import type { Database } from "./store/database/database.ts";
import { sqlState } from "./store/database/database-error.ts";
import { clusterFiles } from "./store/embedded/embedded-launch.ts";
import { refuseMoved } from "./store/embedded/moved-mark.ts";
import { withDatabase } from "./with-database.ts";

/**
 * `millrace admin reset-access | rotate-key`: runs on the machine of the service, with its settings, whether the service is running or not.
 */
export async function main(args: readonly string[]): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: this is where a program of its own begins
  const env = process.env;
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    for (const line of await runCommand(args, env, print)) print(line);
  } catch (error) {
    const told = error instanceof StartError ? error : (explainFault(error) ?? explainRights(error));
    if (told === undefined) throw error;
    process.stderr.write(`millrace: ${told.message}\n`);
    process.exitCode = 1;
  }
}

async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv, print: (line: string) => void): Promise<string[]> {
  const [verb, ...options] = args;
  if (verb === "rotate-key" && options.length === 0) {
    const config = readConfig(env);
    return onDatabase(config.database, (sql) => rotateKey(sql, config.encryptionKey, { print }));
  }
  const endsSessions = options.includes("--end-sessions");
  if (verb !== "reset-access" || options.length > (endsSessions ? 1 : 0))
    throw new StartError(`Missing or unknown command. Use ${adminCommand} reset-access [--end-sessions], or ${adminCommand} rotate-key`);
  const config = readConfig(withoutKey(env));
  return onDatabase(config.database, (sql, where) => reset(sql, where, config, endsSessions));
}

async function reset(sql: Database, where: string, { dataDir, adminToken }: Config, endsSessions: boolean): Promise<string[]> {
  const tokenFile = join(dataDir, "admin-token");
  const { endedTokens, endedSessions } = await resetAccess(sql, { tokenFile, endsSessions });
  const ended = endedTokens === 0 ? "There was no older one" : "The older one ends within two seconds";
  return [
    `A new administrator token of ${where} is in ${tokenFile}. ${ended}`,
    ...(endsSessions ? [`${endedSessions} sessions ended`] : []),
    ...(adminToken === undefined
      ? []
      : ["The token in MILLRACE_ADMIN_TOKEN also works, until you change that setting and restart the service"]),
  ];
}

/**
 * A missing database means a wrong folder, so none is created. An old copy whose data was moved elsewhere is not changed either: its key
 * file and its token file are in the data folder of the service, which uses the other database.
 */
async function onDatabase<T>(database: Config["database"], act: (sql: Database, where: string) => Promise<T>): Promise<T> {
  if (database.kind === "embedded") refuseMoved(database.folder);
  if (database.kind === "embedded" && !hasDatabase(database.folder))
    throw new StartError(
      `There is no database in ${database.folder}. Set MILLRACE_DATA_DIR or DATABASE_URL as for the service, or change to the folder that it is started in`,
    );
  return withDatabase(database, true, async (sql, where) => {
    await requireSchema(sql);
    return act(sql, where);
  });
}

function hasDatabase(folder: string): boolean {
  return statSync(join(clusterFiles(folder).data, "PG_VERSION"), { throwIfNoEntry: false }) !== undefined;
}

/** A user of the database without the right to change it. */
function explainRights(error: unknown): StartError | undefined {
  if (sqlState(error) !== "42501") return undefined;
  const { message } = error as Error;
  return new StartError(`The database refuses this to its user: ${message}. Use the DATABASE_URL of the service`, { cause: error });
}
