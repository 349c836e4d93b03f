import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createPool } from "../../../src/store/database/database.ts";
import { type DatabaseAddress, withDatabase } from "../../../src/store/database/database-address.ts";
import { migrate } from "../../../src/store/database/schema/migrate.ts";
import { startTestServer, type TestServer } from "../../fakes/test-server.ts";

type CopyStrategy = "file_copy" | "wal_log";

declare module "vitest" {
  export interface ProvidedContext {
    testServer: { maintenance: DatabaseAddress; application: DatabaseAddress; suite: string; strategy: CopyStrategy };
    /** The folder in which the first test that asks for the packed program makes it: see `kit/start/packed-files.ts`. */
    packed: string;
  }
}

/** One server for the suite with one migrated database, which each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  const suite = `millrace_test_${randomBytes(4).toString("hex")}`;
  const maintenance = createPool(server.maintenance, { maxConnections: 1 });
  const template = createPool(withDatabase(server.application, suite), { maxConnections: 1 });
  await maintenance.unsafe(`create database ${suite} owner ${await findOwner(server)}`);
  await migrate(template);
  await template.end();
  const strategy = await chooseStrategy(maintenance);
  project.provide("testServer", { maintenance: server.maintenance, application: server.application, suite, strategy });
  const packed = join(tmpdir(), `${suite}-packed`);
  project.provide("packed", packed);

  return async () => {
    rmSync(packed, { recursive: true, force: true });
    await dropSuite(maintenance, suite);
    await maintenance.end();
    await server.stop();
  };
}

/** Copying files takes a third of the time of logging their contents, but waits twice for all pending writes. */
async function chooseStrategy(maintenance: ReturnType<typeof createPool>): Promise<CopyStrategy> {
  const [row] = await maintenance<{ fsync: string }[]>`show fsync`;
  return row?.fsync === "off" ? "file_copy" : "wal_log";
}

async function findOwner(server: TestServer): Promise<string> {
  const pool = createPool(server.application, { maxConnections: 1 });
  const [row] = await pool<{ owner: string }[]>`select quote_ident(current_user) as "owner"`;
  await pool.end();
  return row!.owner;
}

async function dropSuite(maintenance: ReturnType<typeof createPool>, suite: string): Promise<void> {
  const databases = await maintenance`select datname as "name" from pg_database where starts_with(datname, ${suite})`;
  for (const { name } of databases) await maintenance.unsafe(`drop database if exists ${name} with (force)`);
}
