import { afterAll, describe, expect, test } from "vitest";
import { submitRun } from "../../../../src/domain/run/submit-run.ts";
import { createPool, type Database } from "../../../../src/store/database/database.ts";
import { testDatabase } from "../../../kit/database.ts";
import { engineKit } from "../../../kit/engine-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";
import { until } from "../../../kit/until.ts";

/** Bursts of submissions to one limit, and the interaction of limits and handlers. */

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const pools = Array.from({ length: 4 }, () => createPool(address, { maxConnections: 8 }));
afterAll(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 });
});
const engines = pools.map((pool) => engineKit(pool));
const waits = workflow(node("wait", "eventwait", ["start"], { params: [{ name: "topic", value: "go" }] }));

async function limited(document: Record<string, unknown>, nodes = waits) {
  const team = await kit.team();
  const workflowId = await kit.workflow(team, "limited", nodes, document);
  const statuses = async () => {
    const rows = await sql<{ word: string; count: number }[]>`
      select concat_ws(' ', phase, status, reason) as word, count(*)::int as count from run where team_id = ${team} group by 1 order by 1`;
    return Object.fromEntries(rows.map(({ word, count }) => [word, count]));
  };
  const storm = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const engine = engines[index % engines.length] as (typeof engines)[number];
        await engine.submit(team, "limited");
        if (index % 10 === 0) await engine.driver.tick();
      }),
    );
  const cancelAll = async () => {
    const open = await sql<{ id: string }[]>`select id from run where team_id = ${team} and phase <> 'completed'`;
    await kit.driver.advance(open.map(({ id }) => ({ teamId: team, id, events: [{ kind: "cancel", message: "over" }] })));
    await kit.settle();
  };
  const left = async () => {
    const [row] = await sql`
      select (select count(*)::int from run_slot where team_id = ${team}) as slots,
        (select count(*)::int from run_waiting where team_id = ${team}) as waiting,
        (select count(*)::int from run_wake where team_id = ${team}) as wakes`;
    return row;
  };
  return { team, workflowId, statuses, storm, cancelAll, left };
}

/** Submits while another transaction decides about the limit, so that all submissions are queued. */
async function submitInLine(team: string, workflowId: string, count: number): Promise<void> {
  await (sql as Database).begin(async (tx) => {
    await tx`select lock_limit(${team}, ${workflowId}, 'slot', '')`;
    for (let index = 0; index < count; index++)
      await submitRun(pools[0] as Database, kit.context, {
        teamId: team,
        workflow: "limited",
        request: {},
        start: false,
        initiatedBy: "test",
      });
  });
}

describe("sixty submissions at once", () => {
  test("leave the newest and cancel all others", async () => {
    const made = await limited({ concurrency: { max: 3, onLimit: "cancelOldest" } });
    await made.storm(60);
    await kit.settle();
    expect(await made.statuses()).toEqual({ "completed cancelled Superseded": 57, "running running": 3 });
    await made.cancelAll();
    expect(await made.left()).toEqual({ slots: 0, waiting: 0, wakes: 0 });
  });

  test("run as many as allowed, and skip all others", async () => {
    const made = await limited({ concurrency: { max: 3, onLimit: "skip" } });
    await made.storm(60);
    await kit.settle();
    expect(await made.statuses()).toEqual({ "completed cancelled Skipped": 57, "running running": 3 });
    await made.cancelAll();
    expect(await made.left()).toEqual({ slots: 0, waiting: 0, wakes: 0 });
  });
});

describe("a long queue is processed to its end", () => {
  test("when its runs are skipped", async () => {
    const made = await limited({ concurrency: { max: 1, onLimit: "skip" } });
    await submitInLine(made.team, made.workflowId, 110);
    await kit.settle();
    expect(await made.statuses()).toEqual({ "completed cancelled Skipped": 109, "running running": 1 });
  });

  test("when its runs then wait for the rate", async () => {
    const made = await limited({ concurrency: { max: 1000 }, rate: { limit: 1000, period: "1h" } });
    await submitInLine(made.team, made.workflowId, 110);
    await kit.settle();
    expect(await made.statuses()).toEqual({ "running running": 110 });
    await made.cancelAll();
  });
});

test("a run that is superseded is undone, and keeps its slot until that is over", async () => {
  const nodes = [
    ...workflow(
      node("pay", "setwfproperty", ["start"], {
        params: [
          { name: "output", value: "a" },
          { name: "value", value: "1" },
        ],
        compensatedBy: "refund",
      }),
      node("wait", "eventwait", ["pay"], { params: [{ name: "topic", value: "go" }] }),
    ),
    node("refund", "script", []),
  ];
  const made = await limited({ concurrency: { max: 1, onLimit: "cancelOldest" } }, nodes);
  const worker = await kit.worker();
  const first = await kit.submit(made.team, "limited");
  await kit.settle();
  for (let index = 0; index < 3; index++) {
    await kit.submit(made.team, "limited");
    await kit.settle();
  }
  expect(await kit.run(made.team, first.id)).toMatchObject({ status: "running", reason: "Superseded" });
  expect(await made.statuses()).toMatchObject({ "running running Superseded": 1, "pending ready": 1 });
  await kit.end(await kit.claim(worker, made.team));
  await kit.settle();
  expect(await kit.run(made.team, first.id)).toMatchObject({ status: "cancelled", reason: "Superseded" });
  await until(async () => {
    await kit.settle();
    return (await made.statuses())["running running"] === 1;
  }, "the newest run has begun");
});

test("a run that must start now is not refused while slots are free, however many others are submitted", async () => {
  const made = await limited({ concurrency: { max: 100 } });
  const answers = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      (engines[index % 4] as (typeof engines)[number]).submit(made.team, "limited", { start: true }),
    ),
  );
  const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason)] : []));
  expect(refused).toEqual([]);
  await made.cancelAll();
});
