import { mkdtempSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { EventBus, type WakePayloads } from "../../base/process/event-bus.ts";
import { createLog } from "../../base/process/log.ts";
import { EmbeddedServer } from "../embedded/embedded.ts";
import type { DatabaseAddress } from "./database-address.ts";
import { NotifyBridge } from "./notify.ts";

const { sql, address } = await testDatabase();
const log = createLog("silent");
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** One process: its bus, and what it received on a channel. */
async function joinProcess(where: DatabaseAddress = address) {
  const bus = new EventBus();
  const heard: WakePayloads[] = [];
  const watchers = new Set<() => void>();
  bus.onWake("ready", (payloads) => {
    heard.push(payloads);
    for (const watcher of watchers) watcher();
  });
  const bridge = await NotifyBridge.open(bus, where, log);
  closing.push(() => bridge.close());
  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isTrue()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  await until(() => heard.length > 0);
  heard.length = 0;
  return { bus, heard, until };
}

const all = (heard: WakePayloads[]) => heard.flatMap((payloads) => (payloads ? [...payloads] : ["everything"])).sort();

test("a wake reaches other processes once, and its own directly", async () => {
  const [a, b] = [await joinProcess(), await joinProcess()];
  a.bus.wake("ready", "team");
  await b.until(() => b.heard.length > 0);
  a.bus.wake("ready", "marker");
  await b.until(() => all(b.heard).includes("marker"));
  expect(all(b.heard)).toEqual(["marker", "team"]);
  expect(all(a.heard)).toEqual(["marker", "team"]);
});

test("many wakes become few messages, and none of them is lost", async () => {
  const [a, b] = [await joinProcess(), await joinProcess()];
  const teams = Array.from({ length: 100 }, (_, index) => `team ${index}`);
  for (const team of teams) a.bus.wake("ready", team);
  await b.until(() => new Set(all(b.heard)).size === teams.length);
  expect(b.heard.length).toBeLessThanOrEqual(2);
});

test("more than a message can hold becomes 'check everything'", async () => {
  const [a, b] = [await joinProcess(), await joinProcess()];
  a.bus.wake("ready", "first");
  for (let index = 0; index < 1_000; index++) a.bus.wake("ready", `team ${index}`);
  await b.until(() => all(b.heard).includes("everything"));
});

test("after a cut connection the listener reconnects and checks everything", async () => {
  const [a, b] = [await joinProcess(), await joinProcess()];
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'millrace listen' and datname = current_database()`;
  await b.until(() => all(b.heard).includes("everything"));
  b.heard.length = 0;
  a.bus.wake("ready", "team");
  await b.until(() => all(b.heard).includes("team"));
});

test("messages that are not ours are ignored", async () => {
  const [a, b] = [await joinProcess(), await joinProcess()];
  for (const noise of ["", "{}", "null", '{"from":"x","channels":null}', "not json"])
    await sql`select pg_notify('millrace_wake', ${noise})`;
  a.bus.wake("ready", "team");
  await b.until(() => b.heard.length > 0);
  expect(all(b.heard)).toEqual(["team"]);
});

test("a database that was away for a while is listened to again", async () => {
  const folder = mkdtempSync("/tmp/millrace-notify-test-");
  const server = await EmbeddedServer.start({ folder: `${folder}/postgres`, settings: { fsync: "off" }, log });
  closing.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => server.stop(),
  );
  const [a, b] = [await joinProcess(server.address), await joinProcess(server.address)];
  process.kill(server.processId!, "SIGKILL");
  await b.until(() => all(b.heard).includes("everything"));
  while (!all(b.heard).includes("team")) {
    a.bus.wake("ready", "team");
    await wait(20);
  }
});
