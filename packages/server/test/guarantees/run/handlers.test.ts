import { expect, test } from "vitest";
import type { DocumentNode } from "../../../src/core/workflow/plan.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

const { sql, address } = await testDatabase();
const kit = engineKit(sql);

const script = (text: string) => ({ params: [{ name: "script", value: text }] });
const finallyNode = (text: string): DocumentNode => node("clean", "script", [], { handler: "finally", ...script(text) });

/** The input of the jobs, in order. */
function engineWith(end: (name: string) => "succeeded" | "failed") {
  const jobs: [string, unknown][] = [];
  const executor = testExecutor(async (job) => {
    jobs.push([job.name, job.params.find(({ name }) => name === "script")?.value]);
    return { status: end(job.name), results: job.name === "pay" ? [{ name: "id", value: "7" }] : [] };
  });
  return { jobs, engine: engineNode(address, { executor, slots: 2 }) };
}

test("jobs of handlers get how the run ended and what its tasks left, with no more than they refer to", async () => {
  const team = await kit.team();
  const nodes = [
    ...workflow(
      node("pay", "script", ["start"], { compensatedBy: "refund", ...script("pay") }),
      node("send", "script", ["pay"], script("send")),
    ),
    node("refund", "script", [], script("refund $(tasks.pay.results.id)")),
    finallyNode("$(run.status) $(run.reason) $(run.tasks.send.status) $(run.tasks.refund.status) $(run.notUndone)"),
  ];
  await kit.workflow(team, "pays", nodes);
  const { jobs, engine } = engineWith((name) => (name === "send" ? "failed" : "succeeded"));
  const { id } = await kit.submit(team, "pays");
  await engine.start();
  try {
    await until(async () => (await kit.run(team, id)).phase === "completed", "the run is over", 20_000);
  } finally {
    await engine.stop();
  }
  expect(jobs).toEqual([
    ["pay", "pay"],
    ["send", "send"],
    ["refund", "refund 7"],
    ["clean", "failed TaskFailed failed succeeded []"],
  ]);
  expect(await kit.run(team, id)).toMatchObject({ status: "failed", reason: "TaskFailed" });
});

test("another process continues the handlers of a cancelled run, and they run once", async () => {
  const team = await kit.team();
  await kit.workflow(team, "waits", [
    ...workflow(node("wait", "sleep", ["start"], { params: [{ name: "duration", value: "600000" }] })),
    finallyNode("x"),
  ]);
  const { id } = await kit.submit(team, "waits", { start: true });
  await kit.driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "Cancelled by ann" }] }]);
  expect(await kit.run(team, id)).toMatchObject({ status: "running", reason: "Cancelled", statusMessage: "Cancelled by ann" });
  const { jobs, engine } = engineWith(() => "succeeded");
  await engine.start();
  try {
    await until(async () => (await kit.run(team, id)).phase === "completed", "the run is over", 20_000);
  } finally {
    await engine.stop();
  }
  expect(jobs).toEqual([["clean", "x"]]);
  expect(await kit.run(team, id)).toMatchObject({ status: "cancelled", reason: "Cancelled", statusMessage: "Cancelled by ann" });
});
