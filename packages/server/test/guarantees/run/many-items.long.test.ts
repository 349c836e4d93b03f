import { expect, test } from "vitest";
import { RunStateCache } from "../../../src/domain/run/run-caches.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/**
 * A forEach with more items than a single change starts. Each change is a transaction of its own, so any process may die between two of
 * them; the next process continues from the rows.
 */
const { sql } = await testDatabase();
const kit = engineKit(sql);
const length = 2_345;
const items = Array.from({ length }, (_, index) => index);
const params = [
  { name: "output", value: "seen" },
  { name: "value", value: "$(params.item)" },
];
const nodes = workflow(
  node("each", "setwfproperty", ["start"], { forEach: { items }, params }),
  node("after", "setwfproperty", ["each"], { params: [params[0] as never, { name: "value", value: "done" }] }),
);

async function countRows(runId: string) {
  const [row] = await sql<{ rows: number; writes: number; ended: number }[]>`
    select count(*)::int as rows, count(distinct item)::int as writes, count(*) filter (where status = 'succeeded')::int as ended
    from task_run where run_id = ${runId} and item is not null`;
  return row;
}

test("all items run once, in changes that follow each other at once, whichever process makes them", { timeout: 120_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "many", nodes);
  const { id } = await kit.submit(team, "many", { start: true });
  expect(await countRows(id)).toEqual({ rows: 500, writes: 500, ended: 500 });
  expect((await kit.tasks(team, id)).find(({ name }) => name === "each")).toMatchObject({ waitKind: "items", waitKey: String(length) });
  expect(await kit.driver.tick()).toBe(0);
  expect((await countRows(id))?.ended).toBe(1000);
  // Another process, with nothing of the run in its memory.
  const other = engineKit(sql, {
    context: { ...kit.context, states: new RunStateCache() },
  });
  await other.driver.tick();
  expect((await countRows(id))?.ended).toBe(1500);
  // What this process has in memory is outdated by now.
  await kit.settle();
  expect(await countRows(id)).toEqual({ rows: length, writes: length, ended: length });
  const run = await kit.run(team, id);
  expect(run).toMatchObject({ status: "succeeded", results: [{ name: "seen", value: "done" }] });
  const each = (await kit.tasks(team, id)).find(({ name }) => name === "each");
  expect(each).toMatchObject({ status: "succeeded", results: [{ name: "seen", value: items }] });
});

test("a cancel between two changes ends the items that have a row, and no more are made", { timeout: 60_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "many", nodes);
  const { id } = await kit.submit(team, "many", { start: true });
  await kit.driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "enough" }] }]);
  await kit.settle();
  expect(await kit.run(team, id)).toMatchObject({ status: "cancelled" });
  expect(await countRows(id)).toEqual({ rows: 500, writes: 500, ended: 500 });
});
