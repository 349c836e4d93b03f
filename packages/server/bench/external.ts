import { worker } from "../../worker-sdk/src/worker.ts";
import type { BenchContext } from "./bench-context.ts";
import { latencies, throughput } from "./measure-runs.ts";
import { cpuSeconds } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { median, percentile, timeMs } from "./statistics.ts";
import { type BenchWorkflow, chain, externalTask } from "./workflows.ts";

/**
 * Functions of a program outside of the service, with the TypeScript package, in this process. Tasks of the engine itself are measured in
 * between: the ratio is the cost of leaving the service for each task.
 */
export async function measureExternal(context: BenchContext): Promise<Measurement[]> {
  let notifyLast = () => {};
  const stop = await startExternalWorker(context, ({ name }) => {
    if (name === "step-40") notifyLast();
  });
  const untilLast = () =>
    new Promise<void>((resolve) => {
      notifyLast = resolve;
    });
  try {
    return await measureWhileWorking(context, untilLast, context.isQuick ? 20 : 100, context.isQuick ? 1_000 : 10_000);
  } finally {
    await stop();
  }
}

/** The task of `chain("external", …)`, and a worker for it in this process. @returns a function that stops the worker */
export async function startExternalWorker(
  { client, service }: BenchContext,
  onStep: (params: { name: string }) => void,
): Promise<() => Promise<void>> {
  const annotations = { "millrace.dev/executor": "external" };
  const spec = { params: [{ name: "name" }] };
  // Another case may have created it.
  await client
    .send("POST", `/api/v2/team/${client.team}/task`, { name: externalTask, type: "custom", annotations, spec })
    .catch(() => undefined);
  const { token } = await client.send<{ token: string }>("POST", "/api/v2/token", {
    ...{ type: "team", name: `bench-${Date.now()}`, principal: client.team, permissions: ["externaltask/action"], tasks: [externalTask] },
  });
  const greet = (params: { name: string }) => {
    onStep(params);
    return { greeting: `hello ${params.name}` };
  };
  const external = worker({ url: service.url, team: client.team, token, tasks: { [externalTask]: greet }, concurrency: 200 });
  const working = external.run();
  return async () => {
    await external.stop();
    await working;
  };
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
  // Other cases may have created the pure ones.
  for (const workflow of Object.values(workflows)) await context.client.createWorkflow(workflow).catch(() => {});
  await latencies(context, workflows.external40, true, 10);
  await latencies(context, workflows.pure40, true, 10);
  const external: number[] = [];
  // A session that has nothing to do reports its transactions ten seconds late: those of the floors must not count here.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  const before = await countCosts(context);
  for (let index = 0; index < times; index++) external.push(await timeMs(() => runOnce(context, workflows.external40, untilLast())));
  const after = await countCosts(context);
  const aStep = (cost: keyof Costs) => (after[cost] - before[cost]) / (times * 40);
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
    { name: "40 external tasks in a chain: transactions", value: aStep("transactions"), unit: "/step" },
    { name: "40 external tasks in a chain: processor time of the service", value: aStep("serviceMs"), unit: "ms/step" },
    { name: "40 external tasks in a chain: processor time of the database", value: aStep("databaseMs"), unit: "ms/step" },
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

interface Costs {
  transactions: number;
  serviceMs: number;
  databaseMs: number;
}

/** So far. Sessions of the database report their transactions a second late at most, which is little beside hundreds of steps. */
async function countCosts({ service }: BenchContext): Promise<Costs> {
  const [row] = await service.database<{ transactions: number }[]>`
    select xact_commit::float8 as transactions from pg_stat_database where datname = current_database()`;
  const cpu = cpuSeconds(service.pid);
  return { transactions: row?.transactions ?? 0, serviceMs: cpu.service * 1000, databaseMs: cpu.others * 1000 };
}

/** From the submission to the known end. Polling all the time would slow down the steps, so the last step signals when to poll. */
async function runOnce({ client }: BenchContext, workflow: BenchWorkflow, last: Promise<void>): Promise<void> {
  const run = await client.submit(workflow.name, { start: true });
  await last;
  await client.waitForEnd(run);
}
