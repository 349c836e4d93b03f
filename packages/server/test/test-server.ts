import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createLog } from "../src/base/log.ts";
import { createPool } from "../src/store/database.ts";
import type { DatabaseAddress } from "../src/store/database-address.ts";
import { EmbeddedServer, findRunningServer } from "../src/store/embedded.ts";

export interface TestServer {
  /** As a user that may create databases. */
  maintenance: DatabaseAddress;
  /** As the user that owns them, no superuser, as in production. */
  application: DatabaseAddress;
  stop(): Promise<void>;
}

/**
 * The server named by MILLRACE_TEST_DATABASE_URL, or the embedded one in a throw-away folder. What lies in it never has to survive a
 * power cut, so it does not wait for the disk.
 */
export async function startTestServer(): Promise<TestServer> {
  const url = process.env.MILLRACE_TEST_DATABASE_URL;
  if (url) return useServer({ url });
  await removeLeftovers();
  const folder = await mkdtemp(`/tmp/${prefix}`);
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300", shared_buffers: "128MB" };
  const binFolder = process.env.MILLRACE_TEST_PG_BIN;
  const server = await EmbeddedServer.start({ folder: `${folder}/postgres`, binFolder, settings, log: createLog("warn") });
  return {
    maintenance: server.superuserAddress,
    application: server.address,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const prefix = "millrace-suite-";

/** Of suites that were killed: their servers ended by themselves, their folders stayed. */
async function removeLeftovers(): Promise<void> {
  const names = (await readdir("/tmp")).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const { mtimeMs, uid } = await stat(`/tmp/${name}`);
    const isOld = uid === process.getuid?.() && Date.now() - mtimeMs > 600_000;
    if (isOld && !findRunningServer(`/tmp/${name}/postgres`)) await rm(`/tmp/${name}`, { recursive: true, force: true });
  }
}

async function useServer(address: DatabaseAddress): Promise<TestServer> {
  const pool = createPool(address, { maxConnections: 1 });
  await pool`select 1`;
  await pool.end();
  return { maintenance: address, application: address, stop: async () => {} };
}
