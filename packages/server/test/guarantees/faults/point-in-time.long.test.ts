import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createPool, type Database } from "../../../src/store/database/database.ts";
import { migrate } from "../../../src/store/database/schema/migrate.ts";
import { EmbeddedServer } from "../../../src/store/embedded/embedded.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

/** The database is restored to a moment between two backups, as docs/backup.md describes, and the runs of that moment continue. */
const folder = mkdtempSync(join(tmpdir(), "point-in-time-"));
chmodSync(folder, 0o755);
const log = createLog("silent");
const [archive, first, restored] = ["archive", "first", "restored"].map((name) => join(folder, name)) as [string, string, string];
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(own: string, settings: Record<string, string>) {
  const server = await EmbeddedServer.start({ folder: own, log, settings });
  closers.push(() => server.stop());
  const sql = createPool(server.address, { maxConnections: 4 });
  const admin = createPool(server.superuserAddress, { maxConnections: 1 });
  closers.push(
    () => sql.end({ timeout: 1 }),
    () => admin.end({ timeout: 1 }),
  );
  return { server, sql, admin };
}

/**
 * Does what pg_basebackup does: copies everything except the write-ahead log between the two calls, and adds the label from the second one.
 */
async function takeBaseBackup(admin: Database, from: string, to: string): Promise<void> {
  const session = await admin.reserve();
  try {
    await session`select pg_backup_start('test', true)`;
    cpSync(from, to, {
      recursive: true,
      filter: (path) => !/\/pg_wal\/.|\/postmaster\.(?:pid|opts)$|\/(?:lock|owner)[^/]*$|\/socket[^/]*$/.test(path),
      preserveTimestamps: true,
    });
    const [label] = await session<{ labelfile: string }[]>`select labelfile from pg_backup_stop(true)`;
    writeFileSync(join(to, "cluster/data/backup_label"), label!.labelfile);
  } finally {
    session.release();
  }
  mkdirSync(join(to, "cluster/data/pg_wal/archive_status"), { recursive: true });
}

/** The copy belongs to the user that the server runs as, like the original. */
function changeOwner(path: string, like: string): void {
  const { uid, gid } = statSync(like);
  if (process.getuid?.() !== 0) return;
  const walk = (at: string) => {
    chownSync(at, uid, gid);
    if (statSync(at).isDirectory()) for (const name of readdirSync(at)) walk(join(at, name));
  };
  walk(path);
}

test("a restore to a moment has exactly the runs of that moment, and they continue", { timeout: 180_000 }, async () => {
  mkdirSync(archive);
  chmodSync(archive, 0o777);
  const archiving = { archive_mode: "on", archive_command: `cp %p ${archive}/%f`, wal_level: "replica", fsync: "off" };
  const { server, sql, admin } = await start(first, archiving);
  await migrate(sql);
  const kit = engineKit(sql);
  const team = await kit.team();
  await kit.workflow(team, "works", workflow(node("work", "script", ["start"])));
  await takeBaseBackup(admin, first, restored);
  const kept = await kit.submit(team, "works");
  const [moment] = await sql<{ at: string }[]>`select clock_timestamp()::text as at`;
  const later = await kit.submit(team, "works");
  const [switched] = await admin<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`;
  await until(async () => {
    const [row] = await admin<{ last: string | null }[]>`select last_archived_wal as last from pg_stat_archiver`;
    return row !== undefined && row.last !== null && row.last >= switched!.file;
  }, "the log of changes is archived");
  await server.stop();

  writeFileSync(join(restored, "cluster/data/recovery.signal"), "");
  changeOwner(join(restored, "cluster"), join(first, "cluster"));
  const again = await start(restored, {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment!.at,
    recovery_target_action: "promote",
    fsync: "off",
  });
  await until(async () => {
    const [row] = await again.admin<{ isIn: boolean }[]>`select pg_is_in_recovery() as "isIn"`;
    return row?.isIn === false;
  }, "the recovery is over");
  const restoredKit = engineKit(again.sql);
  const runs = await again.sql<{ id: string }[]>`select id from run`;
  expect(runs.map(({ id }) => id)).toEqual([kept.id]);
  expect(runs.map(({ id }) => id)).not.toContain(later.id);
  const worker = engineNode(again.server.address, { executor: testExecutor(async () => ({})), slots: 2 });
  closers.push(() => worker.stop());
  await worker.start();
  await until(async () => (await restoredKit.run(team, kept.id)).status === "succeeded", "the run continues to its end");
});
