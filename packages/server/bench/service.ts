import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../src/base/file/repository-root.ts";
import { createPool, type Database } from "../src/store/database/database.ts";
import { findRunningServer } from "../src/store/embedded/embedded.ts";

/** The service as `npm start` runs it, in a process of its own, on a fresh data folder with its embedded database. */
export interface BenchService {
  url: string;
  token: string;
  pid: number;
  /** Milliseconds from the start of the process to its ready line: when the folder is created, and again when it exists. */
  startMs: { first: number; again: number };
  /** For the floors and for exact times; the service does not use it. */
  database: Database;
  stop(): Promise<void>;
}

const token = `bench-${"0123456789abcdef".repeat(2)}`;

/**
 * @param environment settings in addition to those of every measurement
 * @param checkout whose service is started
 */
export async function startService(environment: Record<string, string> = {}, checkout = repositoryRoot): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-bench-"));
  // In a folder that other users can't enter, a service of root needs two more processes for each step.
  chmodSync(folder, 0o755);
  const first = await launch(folder, environment, checkout);
  await end(first.child);
  const again = await launch(folder, environment, checkout);
  // The database of a data folder, by the record that its service keeps there.
  const address = findRunningServer(join(folder, "postgres"));
  if (!address) throw new Error(`no embedded database runs in ${folder}`);
  const database = createPool(address, { maxConnections: 64, applicationName: "bench" });
  return {
    url: again.url,
    token,
    pid: again.child.pid as number,
    startMs: { first: first.ms, again: again.ms },
    database,
    async stop() {
      await database.end({ timeout: 2 });
      await end(again.child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface ServiceProcess {
  url: string;
  token: string;
  pid: number;
  stop(): Promise<void>;
}

/** One process of the service beside others, on the database that the environment names. */
export async function launchProcess(folder: string, environment: Record<string, string>): Promise<ServiceProcess> {
  const { child, url } = await launch(folder, environment);
  return { url, token, pid: child.pid as number, stop: () => end(child) };
}

async function launch(
  folder: string,
  environment: Record<string, string>,
  checkout = repositoryRoot,
): Promise<{ child: ChildProcess; url: string; ms: number }> {
  const startedAt = performance.now();
  const settings = {
    MILLRACE_PORT: "0",
    MILLRACE_DATA_DIR: folder,
    MILLRACE_SEED: "false",
    MILLRACE_ADMIN_TOKEN: token,
    MILLRACE_LOG_LEVEL: "warn",
    MILLRACE_OUTBOUND_ALLOW: "127.0.0.1",
  };
  const child = spawn(process.execPath, [join(checkout, "scripts/start.mjs")], {
    env: { ...process.env, ...settings, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the service ended with ${code} before it was ready:\n${output}`)));
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const ready = /^millrace ready on (http:\/\/\S+)/m.exec(output);
      if (ready?.[1]) resolve(ready[1]);
    });
  });
  child.once("exit", (code, signal) => {
    if (!stopping.has(child)) process.stderr.write(`the service ended by itself: ${signal ?? `exit code ${code}`}\n${output}\n`);
  });
  return { child, url, ms: performance.now() - startedAt };
}

const stopping = new WeakSet<ChildProcess>();

async function end(child: ChildProcess): Promise<void> {
  stopping.add(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
