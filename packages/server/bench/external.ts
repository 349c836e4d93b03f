import { worker } from "../../worker-sdk/src/worker.ts";
import type { BenchContext } from "./bench-context.ts";
import { latencies, throughput } from "./measure-runs.ts";
import type { Measurement } from "./report.ts";
import { median, percentile, timeMs } from "./statistics.ts";
import { type BenchWorkflow, chain, externalTask } from "./workflows.ts";

/**
 * Functions of a program outside of the service, with the TypeScript package, in this process. What the engine does by itself is
 * measured in between: their ratio says what it costs to leave the service for each task.
 */
export async function measureExternal(context: BenchContext): Promise<Measurement[]> {
  const { client, service, isQuick } = context;
  const annotations = { "millrace.dev/executor": "external" };
  await client.send("POST", `/api/v2/team/${client.team}/task`, {
    name: externalTask,
    type: "custom",
    annotations,
    spec: { params: [{ name: "name" }] },
  });
  const permissions = ["externaltask/action"];
  const { token } = await client.send<{ token: string }>("POST", "/api/v2/token", {
    ...{ type: "team", name: "bench", principal: client.team, permissions, tasks: [externalTask] },
  });
  let notifyLast = () => {};
  const greet = ({ name }: { name: string }) => {
    if (name === "step-40") notifyLast();
    return { greeting: `hello ${name}` };
  };
  const tasks = { [externalTask]: greet };
  const untilLast = () =>
    new Promise<void>((resolve) => {
      notifyLast = resolve;
    });
  const external = worker({ url: service.url, team: client.team, token, tasks, concurrency: 200 });
  const working = external.run();
  try {
    return await measureWhileWorking(context, untilLast, isQuick ? 20 : 100, isQuick ? 1_000 : 10_000);
  } finally {
    await external.stop();
    await working;
  }
}

async function measureWhileWorking(
  context: BenchContext,
  untilLast: () => Promise<void>,
  times: number,
  runs: number,
): Promise<Measurement[]> {
  const workflows = {
    pure40: chain("pure", 40),
    external40: chain("external", 40),
    pure3: chain("pure", 3),
    external3: chain("external", 3),
  };
  // Other cases may have made the pure ones.
  for (const workflow of Object.values(workflows)) await context.client.createWorkflow(workflow).catch(() => {});
  await latencies(context, workflows.external40, true, 10);
  await latencies(context, workflows.pure40, true, 10);
  const external: number[] = [];
  for (let index = 0; index < times; index++) external.push(await timeMs(() => runOnce(context, workflows.external40, untilLast())));
  const pure = await latencies(context, workflows.pure40, true, times);
  const pureRate = await throughput(context, workflows.pure3, true, runs);
  const rate = await throughput(context, workflows.external3, true, runs);
  const value = median(external);
  return [
    {
      name: "40 external tasks in a chain, p50",
      value,
      unit: "ms",
      floor: { name: "40 pure tasks in a chain", ratio: value / median(pure) },
      aim: { atMost: 60 },
    },
    { name: "40 external tasks in a chain, p99", value: percentile(external, 0.99), unit: "ms" },
    {
      name: "3 external tasks, 200 at once",
      value: rate.runsPerSecond,
      unit: "runs/s",
      floor: { name: "3 pure tasks, 200 at once", ratio: pureRate.runsPerSecond / rate.runsPerSecond },
      aim: { atLeast: 1_000 },
    },
    { name: "3 external tasks, 200 at once: processor time of the service", value: rate.cpuMs.service, unit: "ms/run" },
    { name: "3 external tasks, 200 at once: processor time of the database", value: rate.cpuMs.database, unit: "ms/run" },
  ];
}

/** From the submission to the known end. Who asked for the run all the time would slow down its steps, so the last step says when to ask. */
async function runOnce({ client }: BenchContext, workflow: BenchWorkflow, last: Promise<void>): Promise<void> {
  const run = await client.submit(workflow.name, { start: true });
  await last;
  await client.waitForEnd(run);
}
