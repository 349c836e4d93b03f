import { expect, test } from "vitest";
import { historyKit, noOrphans } from "../../kit/history/history-kit.ts";
import { expectElapsed } from "../../kit/processor-ms.ts";
import { params, runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

const { app, team } = await runKit();
const { empty, world, remove, oldest, orphans } = historyKit(app.sql);
const sets = workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "b" })));

test("work continues while months are removed, even during long reads of them", { timeout: 120_000 }, async () => {
  await empty();
  const short = await world();
  const other = await world();
  // One team row by row, one month row by row, the others as whole partitions.
  await app.sql`update team set retention = '{"runs": 60, "logs": 7}' where id = ${short.teamId}`;
  await app.sql`update run set labels = '{"keep": "true"}' where id = (
    select id from run where team_id = ${other.teamId} and created_at < now() - interval '300 days' order by id desc limit 1)`;
  const made = await team();
  await made.workflow("sets", sets);
  await made.submit("sets");

  const backup = await app.sql.reserve();
  await backup`begin`;
  await backup`select from run limit 1`;
  let isOver = false;
  const removing = remove({}, app.sql, false).finally(() => {
    isOver = true;
  });
  const tookMs: number[] = [];
  while (!isOver || tookMs.length < 50) {
    const startedAt = performance.now();
    expect((await made.submit("sets")).status).toBe("succeeded");
    tookMs.push(performance.now() - startedAt);
    if (tookMs.length === 50) {
      await backup`commit`;
      backup.release();
    }
  }
  const { busy } = await removing;
  tookMs.sort((a, b) => a - b);
  // A lock held until the reader ends, or a month deleted in one statement, would delay this for seconds.
  expectElapsed(tookMs.at(-1)!, 3000);
  expectElapsed(tookMs[Math.floor(tookMs.length * 0.9)]!, 1000);
  if (busy.length > 0) await remove();
  expect((await oldest(short.teamId)).run).toBe(59);
  expect(await app.sql`select from run where created_at < now() - interval '212 days'`).toHaveLength(1);
  expect(await orphans()).toEqual(noOrphans);
});
