import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explainFault, StartError } from "./base/error/start-error.ts";
import { createLog, type Log } from "./base/process/log.ts";
import { type Config, readConfig } from "./config/read-config.ts";
import type { Check } from "./doctor/check.ts";
import { checkDataFolder } from "./doctor/check-data-folder.ts";
import { checkDatabase } from "./doctor/check-database.ts";
import { checkPort } from "./doctor/check-port.ts";
import { createProcessExecutor } from "./executors/process/process-executor.ts";
import { closeExecutors, type ExecutorSettings, openExecutors } from "./executors/registry.ts";
import { executorSettings, isForOnePerson } from "./open-worker.ts";
import type { Database } from "./store/database/database.ts";
import { refuseMoved } from "./store/embedded/moved-mark.ts";
import { withDatabase } from "./with-database.ts";

/**
 * `millrace doctor`: checks what a start needs, in the same way as the service, and leaves nothing behind. What would be created in the
 * data folder is created in a temporary one.
 */
export async function checkMachine(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const config = readSettings(env);
  if ("status" in config) return [config];
  const temporary = mkdtempSync(join(tmpdir(), "millrace-doctor-"));
  // The database's own user has to pass through it.
  chmodSync(temporary, 0o711);
  const log = createLog("silent");
  try {
    return [
      { name: "settings", status: "ok", message: "all of them can be read" },
      ...config.warnings.map((message): Check => ({ name: "settings", status: "warning", message })),
      ...(await checkDataFolder(config.dataDir)),
      ...(await checkPorts(config)),
      ...(await tryDatabase(config, temporary, log)),
      ...(config.roles.includes("worker") ? await tryExecutors({ ...config, dataDir: temporary }, log) : []),
    ];
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function readSettings(env: NodeJS.ProcessEnv): Config | Check {
  try {
    return readConfig(env);
  } catch (error) {
    return problemOf("settings", error);
  }
}

/** The messages of the start contain the remedy. */
function problemOf(name: string, error: unknown): Check {
  const told = error instanceof StartError ? error : explainFault(error);
  if (told === undefined) throw error;
  return { name, status: "problem", message: told.message };
}

async function checkPorts({ roles, host, port, healthPort }: Config): Promise<Check[]> {
  if (roles.includes("api")) return [await checkPort({ host, port, setting: "MILLRACE_PORT" })];
  return healthPort === undefined ? [] : [await checkPort({ host, port: healthPort, setting: "MILLRACE_HEALTH_PORT" })];
}

/** The service's database if it has one, running or not. Otherwise a new one, which shows that the programs work. */
async function tryDatabase({ database }: Config, temporary: string, log: Log): Promise<Check[]> {
  const isNew = database.kind === "embedded" && !existsSync(join(database.folder, "cluster"));
  const tried = isNew ? { ...database, folder: join(temporary, "postgres") } : database;
  try {
    const look = async (sql: Database, where: string): Promise<Check[]> => [
      { name: "database", status: "ok", message: isNew ? "an embedded database can be started" : `${where} responds` },
      ...(await checkDatabase(sql)),
    ];
    if (tried.kind === "embedded") refuseMoved(tried.folder);
    return await withDatabase(tried, true, look, log);
  } catch (error) {
    return [problemOf("database", error)];
  }
}

async function tryExecutors(config: Config, log: Log): Promise<Check[]> {
  // Whether there is a second person is stored in the database. It matters only if nothing isolates.
  const settings = executorSettings({ config, log, listening: { port: undefined } }, "doctor", isForOnePerson(config));
  const checks: Check[] = [];
  for (const kind of settings.kinds) {
    try {
      checks.push(kind === "process" ? await trySandbox(settings.process) : await tryExecutor({ ...settings, kinds: [kind] }));
    } catch (error) {
      checks.push(problemOf(kind, error));
    }
  }
  return checks;
}

async function tryExecutor(settings: ExecutorSettings): Promise<Check> {
  const executors = await openExecutors(settings);
  try {
    return describe(settings.kinds.join(), executors[0]!.describe());
  } finally {
    await closeExecutors(executors);
  }
}

function describe(name: string, { available, isolation, detail }: { available: boolean; isolation: string; detail: string }): Check {
  if (available) return { name, status: "ok", message: `${isolation} (${detail})` };
  return { name, status: "problem", message: detail, remedy: `Fix this, or leave ${name} out of MILLRACE_EXECUTORS (docs/executors.md)` };
}

async function trySandbox(settings: Parameters<typeof createProcessExecutor>[0]): Promise<Check> {
  const executor = await createProcessExecutor(settings);
  try {
    const check = describe("process", executor.describe());
    if (check.status === "problem" || executor.failed.length === 0) return check;
    const better = executor.failed.map(({ name, problem }) => `${name}: ${problem}`).join("; ");
    const remedy = 'See "Enable a stronger level" in docs/sandbox.md';
    return { ...check, status: "warning", message: `${check.message}. Better levels do not work here: ${better}`, remedy };
  } finally {
    await executor.close();
  }
}
