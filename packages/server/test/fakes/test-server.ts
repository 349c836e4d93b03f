import { accessSync, constants, statfsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createLog } from "../../src/base/process/log.ts";
import { createPool } from "../../src/store/database/database.ts";
import type { DatabaseAddress } from "../../src/store/database/database-address.ts";
import { EmbeddedServer, findRunningServer } from "../../src/store/embedded/embedded.ts";

export interface TestServer {
  /** For a user that may create databases. */
  maintenance: DatabaseAddress;
  /** For the user that owns them, who is not a superuser, as in production. */
  application: DatabaseAddress;
  stop(): Promise<void>;
}

/**
 * The server named by MILLRACE_TEST_DATABASE_URL, or the embedded one in a temporary folder. Its data never has to survive a power cut, so
 * it does not sync to disk, and is in memory if there is enough.
 */
export async function startTestServer(): Promise<TestServer> {
  const url = process.env.MILLRACE_TEST_DATABASE_URL;
  if (url) return useServer({ url });
  await removeLeftovers();
  const folder = await mkdtemp(join(hasRoomInMemory() ? inMemory : onDisk, prefix));
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300", shared_buffers: "128MB" };
  const binFolder = process.env.MILLRACE_TEST_PG_BIN;
  const server = await EmbeddedServer.start({ folder: join(folder, "postgres"), binFolder, settings, log: createLog("warn") });
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
const onDisk = "/tmp";
const inMemory = "/dev/shm";
const roomyBytes = 6 * 2 ** 30;

/** Each test file copies a database and removes it: on a disk this costs the kernel several times as much as in memory. */
function hasRoomInMemory(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > roomyBytes && process.availableMemory() > roomyBytes;
  } catch {
    return false;
  }
}

/** Removes what killed test runs left: their servers ended by themselves, but their folders remained. */
async function removeLeftovers(): Promise<void> {
  for (const place of [onDisk, inMemory]) {
    const names = (await readdir(place).catch(() => [])).filter((name) => name.startsWith(prefix));
    for (const name of names) await removeLeftover(join(place, name));
  }
}

async function removeLeftover(folder: string): Promise<void> {
  const { mtimeMs, uid } = await stat(folder);
  const isOld = uid === process.getuid?.() && Date.now() - mtimeMs > 600_000;
  if (isOld && !findRunningServer(join(folder, "postgres"))) await rm(folder, { recursive: true, force: true });
}

async function useServer(address: DatabaseAddress): Promise<TestServer> {
  const pool = createPool(address, { maxConnections: 1 });
  await pool`select 1`;
  await pool.end();
  return { maintenance: address, application: address, stop: async () => {} };
}
