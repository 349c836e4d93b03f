import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { CutProxy } from "../test/fakes/cut-proxy.ts";
import { emptyDatabase, testDatabase } from "../test/kit/database.ts";
import { type Instance, startInstance } from "./app.ts";
import { StartError } from "./base/error/start-error.ts";
import { createLog } from "./base/process/log.ts";
import { readConfig } from "./config/read-config.ts";
import { unreachable } from "./store/database/database-failure.ts";

/** A start while an external database drops connections: at the first byte of a response, and within one. */
const dataDir = mkdtempSync("/tmp/millrace-cuts-");
chmodSync(dataDir, 0o711);
const { address } = await testDatabase();
const MILLRACE_ENCRYPTION_KEY = randomBytes(32).toString("base64");
const proxy = await CutProxy.start(address);
afterAll(async () => {
  await proxy.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function start(url: string, patienceMs?: number): Promise<Instance> {
  const env = { DATABASE_URL: url, MILLRACE_DATA_DIR: dataDir, MILLRACE_ENCRYPTION_KEY, MILLRACE_PORT: "0", MILLRACE_ROLES: "api,engine" };
  return startInstance(readConfig(env), createLog("silent"), undefined, { patienceMs });
}

const startAndStop = async (url: string, patienceMs?: number) => (await start(url, patienceMs)).stop();
const parts = [0, 0.5];

test("any single cut connection is reopened", async () => {
  await startAndStop(proxy.url);
  proxy.plan();
  await startAndStop(proxy.url);
  const bytes = proxy.seen;
  expect(bytes.length).toBeGreaterThan(6);
  // From the sixth on they belong to the pool, and are all alike.
  for (const [index, sent] of bytes.slice(0, 7).entries()) {
    for (const part of parts) {
      proxy.plan({ connection: index + 1, afterBytes: Math.floor(sent * part) });
      await startAndStop(proxy.url);
    }
  }
});

test("this also holds for a first start: what it has created is found, and its credentials are known", async () => {
  for (const afterBytes of [2_000, 20_000]) {
    const own = await emptyDatabase();
    const first = await CutProxy.start(own.address);
    first.plan({ connection: 6, afterBytes });
    const instance = await start(first.url);
    expect(instance.firstCredentials?.adminTokenFile).toBe(`${dataDir}/admin-token`);
    await instance.stop();
    await first.stop();
  }
});

test("a database that is gone from a moment on ends the start with one line that names it", async () => {
  for (const connection of [1, 2, 4, 5, 6]) {
    proxy.plan({ connection, afterBytes: 300, andAllLater: true });
    const failure = await startAndStop(proxy.url, 300).catch((error: unknown) => error);
    expect(failure, `connection ${connection}`).toBeInstanceOf(StartError);
    expect((failure as Error).message).toMatch(/^The database at .* cannot be used: .*\. Check DATABASE_URL and that the server runs$/);
  }
});

test("an embedded database that cannot be used is named with its log, and not with a setting that is not there", () => {
  const address = { socketFolder: "/run/x", user: "millrace", database: "millrace", logFile: "/data/postgres/server.log" };
  const { message } = unreachable(address, "DATABASE_URL", Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
  expect(message).toBe("The database at /run/x, database millrace cannot be used: ECONNREFUSED. See its log: /data/postgres/server.log");
});
