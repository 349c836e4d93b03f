import { expect, test, vi } from "vitest";
import { testDatabase } from "../../test/kit/database.ts";
import { engineKit } from "../../test/kit/engine-kit.ts";
import { node, workflow } from "../../test/kit/run-simulator.ts";
import { createLog } from "../base/process/log.ts";
import { createPool } from "../store/database/database.ts";
import { hasRunsToIndex } from "../store/run/lists/run-search.ts";
import { createReminderService } from "./engine-services.ts";
import { createHousekeepingService, createSweepService } from "./housekeeping-service.ts";
import { createRunSearchService } from "./run-search-service.ts";

/** A service with nothing to do costs its database little, and is there when there is something. */

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const log = createLog("silent");
const statements: string[] = [];
const counted = createPool(address, { maxConnections: 1, onStatement: (text) => statements.push(text) });

async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  statements.length = 0;
  await act();
  return statements.length;
}

test("a round that finds nothing asks once", async () => {
  const sweep = createSweepService(counted, kit.context.settings, kit.bus, log);
  const place = { id: "here", host: "h", path: "/here" };
  const workerId = await kit.worker({ place });
  expect(await statementsOf(() => sweep.tick())).toBe(1);
  expect(await statementsOf(() => createReminderService(counted, log).tick())).toBe(1);
  const housekeeping = createHousekeepingService(counted, log);
  const whole = await statementsOf(() => housekeeping.tick());
  expect(await statementsOf(() => housekeeping.tick())).toBeLessThan(whole / 2);
  // A folder that no worker can use now: what waits for it is looked for.
  await sql`update worker set executors = '{}' where id = ${workerId}`;
  expect(await statementsOf(() => sweep.tick())).toBeGreaterThan(1);
  await sql`update worker set executors = '{process}', lease_until = db_now() where id = ${workerId}`;
  expect(await statementsOf(() => sweep.tick())).toBeGreaterThan(1);
  await counted.end({ timeout: 1 });
});

test("a change of a run is indexed for the search soon, although an idle service looks rarely", async () => {
  const service = createRunSearchService(sql, kit.bus, log);
  await service.start();
  await service.tick();
  const team = await kit.team();
  await kit.workflow(team, "w", workflow(node("ask", "manual", ["start"], { params: [{ name: "instructions", value: "Look" }] })));
  const { id } = await kit.submit(team, "w");
  await kit.settle();
  expect(await hasRunsToIndex(sql)).toBe(true);
  await vi.waitFor(async () => expect(await sql`select from run_search where id = ${id}`).toHaveLength(1), {
    timeout: 10_000,
    interval: 100,
  });
  await service.stop();
});
