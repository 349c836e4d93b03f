import { beforeEach, expect, test } from "vitest";
import { moveTime, setTestTime, testDatabase } from "../../test/kit/database.ts";
import { historyKit } from "../../test/kit/history/history-kit.ts";
import { createLog } from "../base/process/log.ts";
import { LiveSettings } from "../domain/settings/live-settings.ts";
import { beginRemoval, findRemoval, noteRemoval } from "../store/history/history-removal.ts";
import { createHistoryService } from "./history-service.ts";

const { sql } = await testDatabase();
const { empty, world, oldest } = historyKit(sql);
const hourMs = 3_600_000;
beforeEach(async () => {
  await setTestTime(sql, 0);
  await empty();
});

function service() {
  const lines: { msg: string; partitions?: string[]; runs?: number }[] = [];
  const log = createLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, history: createHistoryService(sql, new LiveSettings(), log) };
}
const ageOfRuns = async () => (await oldest()).run;

test("an upgraded instance keeps all history for a day, so that retention can be set", async () => {
  await world(240);
  const { history } = service();
  await history.tick();
  await moveTime(sql, 23 * hourMs);
  await history.tick();
  expect(await ageOfRuns()).toBeGreaterThan(400);
  await sql`insert into setting (group_key, key, value) values ('history', 'runs', '0')`;
  await moveTime(sql, hourMs);
  const { history: other } = service();
  await other.tick();
  expect(await ageOfRuns()).toBeGreaterThan(400);
  expect((await oldest()).log).toBeLessThan(62);
  await sql`delete from setting`;
});

test("one process removes it once an hour, and logs what", async () => {
  await world(240);
  await beginRemoval(sql, 3600);
  await moveTime(sql, 25 * hourMs);
  const [one, other] = [service(), service()];
  await Promise.all([one.history.tick(), other.history.tick()]);
  expect(await ageOfRuns()).toBeLessThan(213);
  const lines = [...one.lines, ...other.lines].filter(({ msg }) => msg === "history removed");
  expect(lines).toHaveLength(1);
  expect(lines[0]!.partitions!.length).toBeGreaterThan(20);
  const removal = await findRemoval(sql);
  expect(removal).toMatchObject({ endedAt: expect.any(Date), removed: { partitions: lines[0]!.partitions } });
  expect(removal!.dueAt.getTime() - removal!.beganAt!.getTime()).toBe(hourMs);

  await world(240);
  await Promise.all([one.history.tick(), other.history.tick()]);
  expect(await ageOfRuns(), "not before the hour is over").toBeGreaterThan(400);
  await moveTime(sql, 27 * hourMs);
  await other.history.tick();
  expect(await ageOfRuns()).toBeLessThan(213);
});

test("if the removing process dies, another one continues within minutes, and the first is fenced off", async () => {
  await beginRemoval(sql, 3600);
  await moveTime(sql, 25 * hourMs);
  const lost = await beginRemoval(sql, 3600);
  expect(await noteRemoval(sql, lost!, { runs: 1 }, false)).toBe(true);
  await moveTime(sql, 4 * 60_000);
  expect(await beginRemoval(sql, 3600)).toBeUndefined();
  await moveTime(sql, 2 * 60_000);
  const next = await beginRemoval(sql, 3600);
  expect(next).toBeInstanceOf(Date);
  expect(await noteRemoval(sql, lost!, { runs: 1 }, true)).toBe(false);
  expect(await findRemoval(sql)).toMatchObject({ beganAt: next, endedAt: null, removed: {} });
});

test("an interrupted removal is not recorded as done, and another process continues", async () => {
  await world(240);
  await beginRemoval(sql, 3600);
  await moveTime(sql, 25 * hourMs);
  const { history } = service();
  const reader = await sql.reserve();
  await reader`begin`;
  // It waits for the partition, so it is certainly in progress when it is stopped.
  await reader`select from run limit 1`;
  await history.start();
  await expect.poll(async () => (await findRemoval(sql))?.beganAt).not.toBeNull();
  await history.stop();
  await reader`rollback`;
  reader.release();
  expect(await findRemoval(sql)).toMatchObject({ beganAt: expect.any(Date), endedAt: null });
  await moveTime(sql, 6 * 60_000);
  await service().history.tick();
  expect(await ageOfRuns()).toBeLessThan(214);
});
