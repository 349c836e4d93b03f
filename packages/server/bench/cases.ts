import { measureBareSandbox } from "./bare-sandbox.ts";
import type { BenchContext } from "./bench-context.ts";
import { measureControl } from "./control.ts";
import { measureDeliveries } from "./deliveries.ts";
import { measureEvents } from "./events.ts";
import { measureExecutors } from "./executors/executors.ts";
import { measureExternal } from "./external.ts";
import { floorNames, measureDatabase, measureRoute, measureSpawn } from "./floors.ts";
import { measureIdle } from "./idle.ts";
import { measureLimits } from "./limits.ts";
import { measureManyItems } from "./many-items.ts";
import { answeredLatencies, latencies, type Throughput, throughput } from "./measure-runs.ts";
import { measureRatios } from "./pairs/ratios.ts";
import { measurePeers } from "./peers/measure-peers.ts";
import { measureReads } from "./reads.ts";
import type { Measurement } from "./report.ts";
import { measureScale } from "./scale.ts";
import { measureSchedules } from "./schedules.ts";
import { median, percentile } from "./statistics.ts";
import { measureWaiting } from "./waiting.ts";
import { type BenchWorkflow, chain, fanOut, functionChain, functionTask, wideGraph } from "./workflows.ts";

export interface BenchCase {
  name: string;
  what: string;
  /** Floors are measured whatever cases were requested. */
  isFloor?: boolean;
  /** Only measured if requested by name: it needs the network. */
  isOnRequest?: boolean;
  measure(context: BenchContext): Promise<Measurement[]>;
}

function floorValue(context: BenchContext, name: string): number {
  return context.results.find((one) => one.name === name)?.value ?? Number.NaN;
}

/** Milliseconds compared with the time of one small commit. */
function againstCommit(context: BenchContext, ms: number): Measurement["floor"] {
  const name = `${floorNames.commit}, 1 at a time`;
  return { name: floorNames.commit, ratio: (ms * floorValue(context, name)) / 1000 };
}

function againstSpawn(context: BenchContext, msPerTask: number): Measurement["floor"] {
  return { name: floorNames.spawn, ratio: msPerTask / floorValue(context, floorNames.spawn) };
}

/** Runs per second compared with small commits per second, both with many callers: how many commits one run costs. */
function againstCommits(context: BenchContext, runsPerSecond: number): Measurement["floor"] {
  return { name: floorNames.commit, ratio: floorValue(context, `${floorNames.commit}, 32 at once`) / runsPerSecond };
}

/** The rate and its cost. */
function describeThroughput(context: BenchContext, name: string, { runsPerSecond, cpuMs }: Throughput): Measurement[] {
  return [
    { name, value: runsPerSecond, unit: "runs/s", floor: againstCommits(context, runsPerSecond), aim: { atLeast: 1_000 } },
    { name: `${name}: processor time of the service`, value: cpuMs.service, unit: "ms/run" },
    { name: `${name}: processor time of the database`, value: cpuMs.database, unit: "ms/run" },
  ];
}

async function measureChain3(context: BenchContext): Promise<Measurement[]> {
  const { client, isQuick } = context;
  const workflow = chain("pure", 3);
  await client.createWorkflow(workflow);
  await latencies(context, workflow, true, isQuick ? 20 : 200);
  const times = isQuick ? 50 : 500;
  const started = await latencies(context, workflow, true, times);
  const queued = await latencies(context, workflow, false, times);
  const startedRate = await throughput(context, workflow, true, isQuick ? 1_000 : 10_000);
  const queuedRate = await throughput(context, workflow, false, isQuick ? 1_000 : 10_000);
  const later = await latencies(context, workflow, true, times);
  return [
    { name: "3 pure tasks, p50", value: median(started), unit: "ms", floor: againstCommit(context, median(started)), aim: { atMost: 4 } },
    { name: "3 pure tasks, p99", value: percentile(started, 0.99), unit: "ms" },
    { name: "3 pure tasks, queued, p50", value: median(queued), unit: "ms", floor: againstCommit(context, median(queued)) },
    { name: "3 pure tasks, queued, p99", value: percentile(queued, 0.99), unit: "ms" },
    ...describeThroughput(context, "3 pure tasks, 200 at once", startedRate),
    ...describeThroughput(context, "3 pure tasks, queued, 200 at once", queuedRate),
    {
      name: "3 pure tasks, p50 after all these runs",
      value: median(later),
      unit: "ms",
      floor: againstCommit(context, median(later)),
      aim: { atMost: 4 },
    },
  ];
}

async function measureChain40(context: BenchContext): Promise<Measurement[]> {
  const workflow = chain("pure", 40);
  await context.client.createWorkflow(workflow);
  await latencies(context, workflow, true, 10);
  const sample = await latencies(context, workflow, true, context.isQuick ? 20 : 100);
  const value = median(sample);
  return [
    { name: "40 pure tasks in a chain, p50", value, unit: "ms", floor: againstCommit(context, value), aim: { atMost: 200 } },
    { name: "40 pure tasks in a chain, p99", value: percentile(sample, 0.99), unit: "ms" },
  ];
}

async function measureChain40Scripts(context: BenchContext): Promise<Measurement[]> {
  const workflow = chain("script", 40);
  await context.client.createWorkflow(workflow);
  const sample = await answeredLatencies(context, workflow, context.isQuick ? 1 : 5);
  const sandbox = await measureBareSandbox(context, context.isQuick ? 20 : 100);
  const again = await answeredLatencies(context, workflow, context.isQuick ? 1 : 5);
  const value = median([...sample, ...again]);
  const chained: Measurement = { name: "40 scripts in a chain, p50", value, unit: "ms", floor: againstSpawn(context, value / 40) };
  if (sandbox === undefined) return [chained];
  return [
    { name: "bare bwrap sh", value: sandbox, unit: "ms", floor: againstSpawn(context, sandbox) },
    chained,
    {
      name: "a script of that chain",
      value: value / 40,
      unit: "ms",
      floor: { name: "bare bwrap sh", ratio: value / 40 / sandbox },
      aim: { atMost: Number((sandbox * 1.6).toFixed(1)) },
    },
  ];
}

/**
 * Beside those of `chain40` and `scripts40`, which the same run measures. The languages take turns: the first chains of a service run code that
 * is not compiled yet, and would all be of one language.
 */
async function measureFunctions(context: BenchContext): Promise<Measurement[]> {
  const times = context.isQuick ? 5 : 30;
  const chains = (["javascript", "python"] as const).map((language) => ({
    language,
    kept: functionChain(language, 40, true),
    sample: [] as number[],
  }));
  for (const { language, kept } of chains) {
    await context.client.createTask(functionTask(language));
    await context.client.createWorkflow(kept);
    await answeredLatencies(context, kept, 2);
  }
  for (let time = 0; time < times; time++) {
    for (const { kept, sample } of chains) sample.push(...(await answeredLatencies(context, kept, 1)));
  }
  const measured: Measurement[] = [];
  for (const { language, sample } of chains) {
    const cold = functionChain(language, 1, false);
    await context.client.createWorkflow(cold);
    const coldStart = median(await latencies(context, cold, true, times));
    measured.push(
      {
        name: `40 kept functions in a chain, ${language}, p50`,
        value: median(sample),
        unit: "ms",
        floor: againstCommit(context, median(sample) / 40),
        aim: { atMost: 60 },
      },
      {
        name: `a function in a fresh sandbox, ${language}, p50`,
        value: coldStart,
        unit: "ms",
        floor: againstSpawn(context, coldStart),
        aim: { atMost: 60 },
      },
    );
  }
  return measured;
}

/** The median of a few complete runs of a workflow with this many tasks. */
async function measureWhole(
  context: BenchContext,
  workflow: BenchWorkflow,
  tasks: number,
  times: number,
  what: string,
): Promise<Measurement[]> {
  await context.client.createWorkflow(workflow);
  const sample = await latencies(context, workflow, true, times);
  const value = median(sample);
  return [
    { name: what, value, unit: "ms", floor: againstCommit(context, value) },
    { name: `${what}: tasks`, value: (tasks * 1000) / value, unit: "/s" },
  ];
}

async function measureFanOut(context: BenchContext): Promise<Measurement[]> {
  const times = context.isQuick ? 1 : 5;
  return [
    ...(await measureWhole(context, fanOut("pure", 1_000), 1_000, times, "fan-out over 1,000 pure items")),
    ...(await measureWhole(context, wideGraph("pure", 1_000), 1_000, times, "graph of 1,000 pure tasks side by side")),
  ];
}

async function measureFanOutScripts(context: BenchContext): Promise<Measurement[]> {
  const items = context.isQuick ? 100 : 1_000;
  const [whole, rate] = await measureWhole(context, fanOut("script", items), items, 1, `fan-out over ${items} scripts`);
  if (!whole || !rate) return [];
  return [{ ...whole, floor: againstSpawn(context, whole.value / items) }, rate];
}

async function measureRun10k(context: BenchContext): Promise<Measurement[]> {
  const [whole, rate] = await measureWhole(context, fanOut("pure", 10_000), 10_000, context.isQuick ? 1 : 3, "one run of 10,000 tasks");
  if (!whole || !rate) return [];
  return [{ ...whole, aim: { atMost: 3_000 } }, rate];
}

async function measureStart({ service: { startMs } }: BenchContext): Promise<Measurement[]> {
  return [
    { name: "start, first time (folder made)", value: startMs.first, unit: "ms" },
    { name: "start, again", value: startMs.again, unit: "ms" },
  ];
}

export const cases: readonly BenchCase[] = [
  { name: "database", what: "bare statements of the same database", isFloor: true, measure: measureDatabase },
  { name: "route", what: "a bare fastify route", isFloor: true, measure: measureRoute },
  { name: "spawn", what: "a bare sh", isFloor: true, measure: measureSpawn },
  { name: "start", what: "from the start of the process to its ready line", measure: measureStart },
  { name: "idle", what: "processor, queries and memory with nothing to do", measure: measureIdle },
  { name: "reads", what: "get, query and submit with 1,000 and with 100,000 runs, and memory over many reads", measure: measureReads },
  { name: "chain3", what: "three pure tasks in a chain: latency and throughput", measure: measureChain3 },
  { name: "chain40", what: "forty pure tasks in a chain", measure: measureChain40 },
  {
    name: "external",
    what: "functions of an external worker: forty in a chain, and three in a chain with 200 callers",
    measure: measureExternal,
  },
  { name: "scripts40", what: "forty scripts in a chain", measure: measureChain40Scripts },
  { name: "functions40", what: "forty functions in a chain, in a sandbox that is kept, and one in a fresh one", measure: measureFunctions },
  { name: "fanout", what: "1,000 pure tasks side by side", measure: measureFanOut },
  { name: "fanout-scripts", what: "scripts side by side", measure: measureFanOutScripts },
  { name: "run10k", what: "one run of 10,000 pure tasks", measure: measureRun10k },
  { name: "many-items", what: "one run of 100,000 pure items, and what others see of it", measure: measureManyItems },
  { name: "events", what: "events and webhooks from many senders", measure: measureEvents },
  { name: "deliveries", what: "webhooks: how many a second, and how late beside a dead receiver", measure: measureDeliveries },
  {
    name: "executors",
    what: "empty tasks, fifty at once and output: as processes, in containers and in a cluster",
    measure: measureExecutors,
  },
  {
    name: "control",
    what: "a test, a plan, a preview and a bulk rerun, as an author waits for them",
    measure: measureControl,
  },
  {
    name: "limits",
    what: "a concurrency limit with 10,000 keys",
    measure: measureLimits,
  },
  {
    name: "waiting",
    what: "another team's runs beside 100,000 runs that sleep, and 20,000 that wake at one moment",
    measure: measureWaiting,
  },
  { name: "peers", what: "Restate, DBOS, graphile-worker and Temporal in the same run", isOnRequest: true, measure: measurePeers },
  { name: "ratios", what: "processor time against the floors, with bounds: what CI repeats", isOnRequest: true, measure: measureRatios },
  { name: "scale", what: "one to four processes on one database", isOnRequest: true, measure: measureScale },
  { name: "schedules", what: "thousands of schedules due at one moment", measure: measureSchedules },
];
