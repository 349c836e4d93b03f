import { expect, test } from "vitest";
import { moveTime, testDatabase } from "../../test/kit/database.ts";
import { engineKit } from "../../test/kit/engine-kit.ts";
import { node, workflow } from "../../test/kit/run-simulator.ts";
import { createLog } from "../base/process/log.ts";
import { WorkerWatcher } from "./worker-watcher.ts";

const { sql } = await testDatabase();
const kit = engineKit(sql);
const leaseSeconds = 8;

/** Looks until the watcher has considered this much time of the database. @returns what it then sees */
async function lookFor(ms: number, watcher: WorkerWatcher, see: () => Promise<unknown>): Promise<unknown> {
  for (let passedMs = 0; passedMs < ms; ) {
    const pauseMs = await watcher.tick();
    await moveTime(sql, pauseMs);
    passedMs += pauseMs;
  }
  return see();
}

test.each([true, false])(
  "a worker that died before the clock was set back by an hour is lost within its lease (known before: %s)",
  async (isKnown) => {
    const watcher = new WorkerWatcher({ sql, driver: kit.driver, log: createLog("silent") });
    const team = await kit.team();
    await kit.workflow(team, "one", workflow(node("a", "script", ["start"], { params: [{ name: "script", value: "true" }] })));
    await kit.submit(team, "one", { start: true });
    await kit.settle();
    await moveTime(sql, 3_600_000);
    const dead = await kit.worker({ leaseSeconds });
    const claim = await kit.claim(dead, team);
    const see = async () => (await kit.tasks(team, claim.runId)).find(({ name }) => name === "a")?.status;
    if (isKnown) expect(await lookFor(1_000, watcher, see)).toBe("running");
    await moveTime(sql, -3_600_000);
    expect(await lookFor(leaseSeconds * 1_000 + 8_000, watcher, see)).toBe("ready");
    const [row] = await sql<{ isOver: boolean }[]>`select lease_until <= db_now() as "isOver" from worker where id = ${dead}`;
    expect(row?.isOver, "its lease is over for everything else that compares it with the clock").toBe(true);
  },
);
