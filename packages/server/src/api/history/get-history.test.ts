import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { historyKit } from "../../../test/kit/history/history-kit.ts";
import { beginRemoval, noteRemoval } from "../../store/history/history-removal.ts";

const app = await testApp();
const { empty, world, remove } = historyKit(app.sql);
const path = "/api/v2/system/history";

test("the figures say how much there is, since when, for how long it is kept, and what the removal did", async () => {
  await empty();
  await world(120);
  const before = (await app.as().get(path)).body;
  expect(before).toMatchObject({
    kinds: [
      { kind: "runs", days: 180 },
      { kind: "logs", days: 30 },
      { kind: "deliveries", days: 30 },
      { kind: "audit", days: 400 },
    ],
    lastRemoval: null,
    nextRemovalDate: null,
  });
  for (const { kind, bytes, oldestDate } of before.kinds) {
    expect(bytes, kind).toBeGreaterThan(8192);
    expect(Date.now() - Date.parse(oldestDate), kind).toBeGreaterThan(430 * 86_400_000);
  }
  await app.sql`insert into history_removal (due_at) values (db_now())`;
  const beganAt = await beginRemoval(app.sql, 3600);
  expect((await app.as().get(path)).body.lastRemoval).toMatchObject({ beginDate: beganAt!.toISOString(), endDate: null, runs: 0 });
  const { busy: _, ...removed } = await remove();
  await noteRemoval(app.sql, beganAt!, removed, true);
  const after = (await app.as().get(path)).body;
  expect(after).toMatchObject({
    lastRemoval: { ...removed, endDate: expect.any(String) },
    nextRemovalDate: new Date(beganAt!.getTime() + 3_600_000).toISOString(),
  });
  expect(Date.parse(after.kinds[0].oldestDate)).toBeGreaterThan(Date.parse(before.kinds[0].oldestDate));
  expect(after.kinds[0].bytes).toBeLessThan(before.kinds[0].bytes);
});

test("the number of rows is estimated once the database has statistics", async () => {
  await empty();
  await world(120);
  await app.sql`analyze run`;
  const [{ count }] = (await app.sql`select count(*)::int as count from run`) as unknown as [{ count: number }];
  const [runs] = (await app.as().get(path)).body.kinds;
  // An estimate: rows that a connection counts after the analysis, which has counted them too, are added until the next one.
  expect(runs.rows).toBeGreaterThanOrEqual(count);
  expect(runs.rows).toBeLessThanOrEqual(2 * count);
});

test("the storage is divided by kind, with the growth of tables that have partitions, and nothing of the database is left out", async () => {
  await empty();
  await world(3);
  const { kinds, storage } = (await app.as().get(path)).body;
  expect(storage.kinds.map(({ kind }: { kind: string }) => kind)).toEqual(["runs", "taskRuns", "logs", "events", "audit", "other"]);
  const sum = storage.kinds.reduce((total: number, { bytes }: { bytes: number }) => total + bytes, 0);
  expect(sum).toBe(storage.databaseBytes);
  for (const { kind, bytes, bytesPerDay } of storage.kinds) {
    expect(bytes, kind).toBeGreaterThan(8192);
    if (kind === "other") expect(bytesPerDay).toBeNull();
    else expect(bytesPerDay, kind).toBeGreaterThan(0);
    // This month and the last one have at least one day together.
    if (kind !== "other") expect(bytesPerDay, kind).toBeLessThanOrEqual(bytes);
  }
  expect(storage.folders).toEqual([]);
  for (const { kind, nextRemovalDate } of kinds) expect(nextRemovalDate, kind).toMatch(/^\d{4}-/);
});

test("they need the permission to read the instance", async () => {
  const owner = app.as((await app.make.member((await app.make.team()).id, "owner")).token);
  expect((await app.as(null).get(path)).status).toBe(401);
  expect((await owner.get(path)).status).toBe(403);
});
