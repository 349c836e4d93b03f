import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { ByteBudget } from "../../base/process/byte-budget.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { LogStream } from "./log-stream.ts";

const statements: string[] = [];
const { sql } = await testDatabase({ onStatement: (text) => void statements.push(text) });
const kit = engineKit(sql);
const looks = () => statements.filter((text) => text.includes("select status from task_run")).length;

test("changes of other tasks cost a log stream next to nothing, and it ends with its own task", async () => {
  const team = await kit.team();
  const script = { params: [{ name: "script", value: ":" }] };
  await kit.workflow(team, "two", workflow(node("one", "script", ["start"], script), node("two", "script", ["start"], script)));
  const { id: runId } = await kit.submit(team, "two");
  await kit.settle();
  const claim = await kit.claim(await kit.worker(), team);
  const stream = new LogStream({
    ...{ source: { db: sql, store: undefined, teamId: team, taskRunId: claim.id }, bus: kit.bus, runId, isFollowing: true },
    ...{ from: { attempt: 1, seq: 0, line: 0 }, limit: 10, stopping: undefined, readers: new ByteBudget(2 ** 26) },
    mayRead: async () => true,
    write: ({ text }) => text,
  });
  const over = new Promise((done) => stream.on("end", done));
  stream.resume();
  while (looks() === 0) await sql`select 1`;
  const before = performance.now();
  while (performance.now() - before < 300) {
    kit.bus.wake(channels.runs, runId);
    await sql`select 1`;
  }
  expect(looks()).toBeLessThanOrEqual(2 + (performance.now() - before) / 500);
  // Another task goes on, so nothing else says that this one is over.
  await kit.end(claim);
  await over;
});
