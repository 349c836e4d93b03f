import { relative } from "node:path";
import { type Instance, startInstance } from "./app.ts";
import { explainFault, StartError } from "./base/error/start-error.ts";
import { createLog } from "./base/process/log.ts";
import { openLogOutput } from "./base/process/log-text.ts";
import { listenForShutdown, surviveRejections, untilAborted } from "./base/process/shutdown.ts";
import { openTracing } from "./base/trace/open-tracing.ts";
import { type Config, readConfig } from "./config/read-config.ts";
import { showFirstRun } from "./services/show-first-run.ts";
import { DatabaseOutage } from "./store/database/database-outage.ts";

/** The process: starts what the environment asks for, prints its address, and ends cleanly when it is asked to. */

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const startedAt = performance.now();
  // Many files are created without an explicit mode: no other user may change them, whatever the shell's umask allows.
  process.umask(process.umask() | 0o022);
  const config = readConfig(process.env);
  const outage = new DatabaseOutage();
  const log = createLog(config.logLevel, openLogOutput(config.logFormat, process.stdout), (error) => outage.covers(error));
  for (const warning of config.warnings) log.warn(warning);
  surviveRejections(process, (error) => log.error({ err: error }, "unhandled error; the service continues. Please report it"));
  const tracing = await openTracing(process.env, (problem) => log.warn({ problem }, "traces can't be sent to the collector"));
  const { signal } = listenForShutdown(process, () => process.exit(1));
  const instance = await startUnlessStopped(startInstance(config, log, signal, { outage, tracing }), signal);
  if (instance === undefined) return;
  try {
    await greet(config, instance, signal, startedAt);
    await untilAborted(signal);
  } finally {
    await instance.stop();
  }
}

/** Errors of a start after the signal to stop are no failure. @returns undefined if the signal came before the start was complete */
async function startUnlessStopped(start: Promise<Instance>, signal: AbortSignal): Promise<Instance | undefined> {
  try {
    return await start;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function greet(config: Config, instance: Instance, signal: AbortSignal, startedAt: number): Promise<void> {
  const { store, runs, executors, notices, firstCredentials, sample } = instance;
  for (const executor of executors) print(`executor ${executor}`);
  print(`started in ${((performance.now() - startedAt) / 1000).toFixed(1)} s with ${store.description}`);
  // Without an executor it would only wait.
  if (sample && canRun(config) && instance.degraded === undefined) {
    const workflow = sample.workflows[0] as string;
    await showFirstRun({ sql: store.sql, runs, bus: store.wakes, teamId: sample.team.id, workflow, print, signal }).catch((error) => {
      const told = store.patience.explain(error);
      if (!(told instanceof StartError)) throw error;
      print(`the first run can't be watched: ${told.message}`);
    });
  }
  if (signal.aborted) return;
  for (const notice of notices) print(`warning: ${notice}`);
  const state = instance.degraded === undefined ? "" : ` (degraded: ${instance.degraded}; see above)`;
  const roles = config.roles.join(", ");
  const where = instance.healthAddress === undefined ? `(${roles})` : `(${roles}; health on ${instance.healthAddress})`;
  print(`millrace ready ${instance.address === undefined ? where : `on ${instance.address}`}${state}`);
  if (firstCredentials) {
    const { adminTokenFile, oneTimeCodeFile } = firstCredentials;
    print(`open it in a browser: to sign in, use the access token in ${shown(adminTokenFile)}`);
    const place = instance.address === undefined ? "/activate" : `${instance.address}/activate`;
    print(`to create the first administrator, open ${place} and enter the one-time code in ${shown(oneTimeCodeFile)}`);
  }
  if (sample && instance.address) printCommands(instance.address, config);
}

function canRun(config: Config): boolean {
  return config.roles.includes("engine") && config.roles.includes("worker");
}

/** Two commands to continue with, which can be copied as they are. */
function printCommands(address: string, config: Config): void {
  const token = config.adminToken === undefined ? `$(cat ${asWord(shown(`${config.dataDir}/admin-token`))})` : "$MILLRACE_ADMIN_TOKEN";
  const header = `-H "Authorization: Bearer ${token}"`;
  const team = `${address}/api/v2/team/getting-started`;
  print("or continue with:");
  print(`  curl -s ${header} "${team}/workflow/query?limit=10&page=0"`);
  print(`  curl -s ${header} -H "Content-Type: application/json" -d '{}' "${team}/workflow/hello-chain/submit?start=true"`);
}

/** Quoted for a shell. */
function asWord(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Relative if it is below the folder in which the service was started. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const told = error instanceof StartError ? error : explainFault(error);
    if (told) process.stderr.write(`millrace: ${told.message}\n`);
    else console.error(error);
    process.exit(1);
  },
);
