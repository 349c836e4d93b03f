import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { writeSettings } from "../../store/settings/settings.ts";
import { LiveSettings } from "./live-settings.ts";

const { sql } = await testDatabase();

const write = (value: string) => writeSettings(sql, [{ group: "teams", key: "max.workflow.count", value }]);

/** A process of its own, with a clock that the test moves and a count of what it reads. */
function createProcess() {
  let now = 0;
  let reads = 0;
  const counted = new Proxy(sql, {
    apply(target, self, words) {
      reads += 1;
      return Reflect.apply(target as never, self, words);
    },
  }) as Database;
  const live = new LiveSettings(() => now);
  return {
    live,
    pass(ms: number) {
      now += ms;
    },
    load: (db: Database = counted) => live.load(db),
    count: async () => (await live.load(counted)).quotas.maxWorkflowCount,
    reads: () => reads,
  };
}

test("another process applies a change within two seconds, without reading each time", async () => {
  await write("7");
  const other = createProcess();
  expect(await other.count()).toBe(7);
  for (let times = 0; times < 5; times++) await other.count();
  expect(other.reads()).toBe(1);
  await write("8");
  other.pass(900);
  expect(await other.count()).toBe(7);
  other.pass(1100);
  expect(await other.count()).toBe(8);
});

test("the process that made the change applies it at once", async () => {
  await write("7");
  const own = createProcess();
  expect(await own.count()).toBe(7);
  own.live.forget(await write("9"));
  expect(await own.count()).toBe(9);
});

test("when the cache is old, one caller reads again while others use the cached settings", async () => {
  await write("7");
  const busy = createProcess();
  await busy.count();
  busy.pass(1500);
  await Promise.all(Array.from({ length: 20 }, () => busy.count()));
  expect(busy.reads()).toBe(2);
});

test("a transaction that began before the change does not bring the old state back", async () => {
  await write("7");
  const own = createProcess();
  await transaction(
    sql,
    async (tx) => {
      await tx`select 1`;
      own.live.forget(await write("10"));
      expect((await own.load(tx as never)).quotas.maxWorkflowCount).toBe(7);
      expect(await own.count()).toBe(10);
      own.pass(1500);
      expect((await own.load(tx as never)).quotas.maxWorkflowCount).toBe(10);
    },
    { access: "read" },
  );
});

test("a failed read fails only its caller", async () => {
  await write("7");
  const own = createProcess();
  await own.count();
  own.pass(1500);
  const broken = (() => Promise.reject(new Error("no database"))) as unknown as Database;
  await expect(own.load(broken)).rejects.toThrow("no database");
  expect(await own.count()).toBe(7);
});
