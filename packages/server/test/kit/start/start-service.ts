import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/** The service in a process of its own, as `npm start` starts it. */
export interface StartedService {
  process: ChildProcess;
  address: string;
  /** Lines of its output up to the ready line. */
  said: string[];
  /** The last lines since then, for the message of a failed test. */
  log: string[];
  /** Calls the API with the first administrator's token; returns the parsed body. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** Returns the response of `/health` to that administrator. */
  health<T>(): Promise<T>;
  /** Sends SIGTERM; resolves with the exit code once the process has ended. */
  stop(): Promise<number | null>;
}

/** So that a start, stop or response that hangs fails with a message; not a measurement. */
const deadlineMs = 90_000;
const keptLines = 100;

/** @param folder its data is in `.millrace` below */
export async function startService(folder: string, environment: Record<string, string> = {}): Promise<StartedService> {
  const service = spawn(process.execPath, [join(repositoryRoot, "scripts/start.mjs")], {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, HOME: folder, MILLRACE_PORT: "0", MILLRACE_DATA_DIR: join(folder, ".millrace"), ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  let address = "";
  const patience = setTimeout(() => service.kill("SIGKILL"), deadlineMs);
  for await (const line of createInterface(service.stdout)) {
    said.push(line);
    address = /^millrace ready on (http:\S+)/.exec(line)?.[1] ?? "";
    if (address !== "") break;
  }
  clearTimeout(patience);
  const log: string[] = [];
  createInterface(service.stdout).on("line", (line) => {
    log.push(line);
    if (log.length > keptLines) log.shift();
  });
  if (address === "") throw new Error(`the service did not start: ${said.join("\n")}`);
  const stop = async () => {
    if (service.exitCode !== null || service.signalCode !== null) return service.exitCode;
    const ended = once(service, "exit", { signal: AbortSignal.timeout(deadlineMs) });
    service.kill("SIGTERM");
    const [code] = await ended.catch((cause: unknown) => {
      throw new Error(`the service did not end within ${deadlineMs} ms of SIGTERM`, { cause });
    });
    return code as number | null;
  };
  const token = environment.MILLRACE_ADMIN_TOKEN ?? readFileSync(join(folder, ".millrace/admin-token"), "utf8").trim();
  const health = async <T>() => (await (await fetch(`${address}/health`, { headers: { authorization: `Bearer ${token}` } })).json()) as T;
  return { process: service, address, said, log, stop, api: caller(address, token), health };
}

function caller(address: string, token: string): StartedService["api"] {
  return async <T>(method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" };
    const init = {
      method,
      headers,
      signal: AbortSignal.timeout(deadlineMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const answer = await fetch(`${address}/api/v2${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
}
