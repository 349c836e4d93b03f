import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";

export interface ProgramOutcome {
  code: number | null;
  output: string;
  errors: string;
  results: Record<string, string>;
  /** The folder it ran in. */
  folder: string;
}

/**
 * Runs bundled step programs as the executor does: a process of its own, a file for each parameter, a folder for results. The programs are
 * built once for the test file; everything is removed after it. `isMerged`: standard error is also written to `output`.
 */
export function stepPrograms() {
  let root = "";
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "programs-"));
    execFileSync(process.execPath, [
      fileURLToPath(new URL("../../../catalog/build-programs.mjs", import.meta.url)),
      join(root, "programs"),
    ]);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  return async function run(
    name: string,
    params: Record<string, string | Buffer>,
    env: Record<string, string> = {},
    { isMerged = false } = {},
  ): Promise<ProgramOutcome> {
    const folder = mkdtempSync(join(root, "step-"));
    const paramsPath = join(folder, "params");
    const resultsPath = join(folder, "results");
    const scratch = join(folder, "scratch");
    for (const each of [paramsPath, resultsPath, scratch]) mkdirSync(each);
    for (const [param, value] of Object.entries(params)) writeFileSync(join(paramsPath, param), value);
    const command = [process.execPath, join(root, "programs", `${name}.mjs`)];
    const child = spawn("/bin/sh", ["-c", `exec "$@"${isMerged ? " 2>&1" : ""}`, "sh", ...command], {
      cwd: scratch,
      env: { PATH: process.env.PATH, PARAMS_PATH: paramsPath, RESULTS_PATH: resultsPath, ...env },
    });
    const outcome: ProgramOutcome = { code: null, output: "", errors: "", results: {}, folder: scratch };
    child.stdout.setEncoding("utf8").on("data", (text) => (outcome.output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (outcome.errors += text));
    outcome.code = await new Promise((resolve) => child.on("close", resolve));
    for (const result of readdirSync(resultsPath)) outcome.results[result] = readFileSync(join(resultsPath, result), "utf8");
    return outcome;
  };
}

/** Starts a server on a free port and returns its origin; it is closed after the test file. */
export async function serve(listener: RequestListener, server: Server = createServer()): Promise<string> {
  server.on("request", listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
