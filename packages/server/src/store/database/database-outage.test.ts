import { expect, onTestFinished, test, vi } from "vitest";
import { CutProxy } from "../../../test/fakes/cut-proxy.ts";
import { canPool, startPgBouncer, whyNotPooled } from "../../../test/fakes/pgbouncer.ts";
import { testApp } from "../../../test/kit/app.ts";
import { until } from "../../../test/kit/until.ts";
import { createLog } from "../../base/process/log.ts";
import { createPool, type Database } from "./database.ts";
import { DatabaseOutage } from "./database-outage.ts";

/** A server that answers, but not with what was asked: a standby after a failover, a pooler without a free connection. */
if (!canPool) console.log(`skipped: ${whyNotPooled}`);

const outage = new DatabaseOutage();
const log = createLog("silent");
const app = await testApp({ services: { outage } });
const ask = async (url: string, method: "GET" | "POST" = "GET") => {
  const { status, body } = await app.as().send(method, url, method === "POST" ? { name: "one-more", displayName: "One more" } : undefined);
  return { status, body };
};

function watch(sql: Database): void {
  outage.watch({ sql, address: app.address, log, folder: undefined, intervalMs: 20 });
  onTestFinished(() => outage.stop());
}

/** Every connection, also of the next ones, is treated by the new defaults. */
async function setReadOnly(isOn: boolean): Promise<void> {
  const [row] = await app.sql<{ name: string }[]>`select quote_ident(current_database()) as "name"`;
  const single = createPool(app.address, { maxConnections: 1 });
  await single.begin(async (tx) => {
    await tx.unsafe("set transaction read write");
    await tx.unsafe(`alter database ${row!.name} set default_transaction_read_only = ${isOn ? "on" : "off"}`);
  });
  await single`select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and datname = current_database() and pid <> pg_backend_pid()`;
  await single.end({ timeout: 1 });
}

test("a read-only database is an outage: 503 with its cause, not ready, and over as soon as it accepts changes", async () => {
  watch(app.sql);
  await setReadOnly(true);
  onTestFinished(() => setReadOnly(false));
  await until(async () => (await ask("/api/v2/team", "POST")).status === 503, "changes are refused");
  expect(await ask("/api/v2/team", "POST")).toMatchObject({
    status: 503,
    body: { reason: "NOT_READY", message: "Not ready: the database accepts no changes: it is read-only; try again" },
  });
  expect(await ask("/ready")).toMatchObject({ status: 503 });
  expect(await ask("/health")).toMatchObject({ status: 200, body: { status: "degraded", database: "away" } });
  await setReadOnly(false);
  await until(async () => (await ask("/ready")).status === 200, "it is ready again");
});

test("a database that answers nothing is an outage: what waits for it fails, and so does what comes, until it answers", async () => {
  const proxy = await CutProxy.start(app.address);
  const address = { url: proxy.url };
  const sql = createPool(address, { maxConnections: 3, connectTimeoutMs: 200 });
  onTestFinished(async () => {
    await sql.end({ timeout: 0 });
    await proxy.stop();
  });
  await Promise.all([sql`select 1`, sql`select 2`, sql`select 3`]);
  const begun = vi.fn();
  outage.watch({ sql, address, log: { ...log, error: begun, info: () => {} } as never, folder: undefined, intervalMs: 10, silenceMs: 100 });
  onTestFinished(() => outage.stop());
  await sql`select count(*) from generate_series(1, 4000000)`;
  expect(outage.current(), "of a statement that takes long").toBeUndefined();
  proxy.isSilent = true;
  const waiting = await Promise.allSettled([sql`select 1`, sql.begin((tx) => tx`select 2`)]);
  for (const result of waiting) expect(outage.note((result as PromiseRejectedResult).reason)).toMatchObject({ kind: "away" });
  expect(await ask("/health")).toMatchObject({ status: 200, body: { status: "degraded", database: "away" } });
  for (let round = 0; round < 3; round++) {
    const many = await Promise.allSettled(Array.from({ length: 20 }, () => sql.begin((tx) => tx`select 1`)));
    expect(new Set(many.map((result) => outage.note((result as PromiseRejectedResult).reason)?.kind))).toEqual(new Set(["away"]));
  }
  expect(begun, "it does not end in between").toHaveBeenCalledTimes(1);
  proxy.isSilent = false;
  await until(async () => (await ask("/health")).body.database === "up", "it answers again");
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test.runIf(canPool)("what a pooler without a free connection says is an outage, and never an internal error", async () => {
  const pooler = await startPgBouncer(app.address, { max_client_conn: "1", default_pool_size: "1" });
  const pools = [0, 1, 2].map(() => createPool(pooler.address, { maxConnections: 1, sendsTimeouts: false }));
  onTestFinished(async () => {
    await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
    await pooler.stop();
  });
  watch(app.sql);
  const results = await Promise.allSettled(pools.map((sql) => sql`select 1`));
  const failure: unknown = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []))[0];
  expect(failure).toMatchObject({ code: "08P01", message: expect.stringContaining("max_client_conn") });
  expect(outage.note(failure)).toMatchObject({ kind: "away" });
});
