import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchContext } from "../bench-context.ts";
import { startExternalWorker } from "../external.ts";
import { cpuSeconds } from "../processes.ts";
import type { Measurement } from "../report.ts";
import { median, ratePerSecond, timeMs } from "../statistics.ts";
import { chain, functionChain, functionTask } from "../workflows.ts";
import { installPeers } from "./install-peers.ts";
import type { RunningPeer } from "./peer.ts";
import { dataFolder, peers } from "./peers.ts";

/**
 * Millrace beside other products, over HTTP from one client: a workflow of three steps, one after the other and 200 at once, and one of
 * forty. The rounds alternate, so that other work on the machine affects all of them, and the medians of the rounds are compared.
 */
export async function measurePeers(context: BenchContext): Promise<Measurement[]> {
  const packages = await installPeers();
  const data = mkdtempSync(join(tmpdir(), "millrace-peers-"));
  const runners: Runner[] = [];
  try {
    runners.push(...(await startMillrace(context)));
    for (const peer of peers) {
      process.stderr.write(`  ${peer.name} starts …\n`);
      const running = await peer.start({ packages, data: dataFolder(data, peer.name) });
      if (running) runners.push({ name: peer.name, differs: peer.differs, running, rounds: [] });
      else process.stderr.write(`peers: ${peer.name} is left out, since it can't be built here\n`);
    }
    for (const runner of runners) {
      process.stderr.write(`  ${runner.name} warms up …\n`);
      await ratePerSecond(context.isQuick ? 1_000 : 5_000, 20, () => runner.running.run(3));
    }
    for (let round = 0; round < (context.isQuick ? 1 : 3); round++) {
      for (const runner of runners) runner.rounds.push(await measureRound(runner, context.isQuick));
    }
    for (const { name, differs } of runners) process.stderr.write(`  ${name}: ${differs}\n`);
    return describe(runners);
  } finally {
    for (const { running } of runners) await running.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

interface Runner {
  name: string;
  differs: string;
  running: RunningPeer;
  rounds: Round[];
}

interface Round {
  threeMs: number;
  fortyMs: number;
  runsPerSecond: number;
  /** Of all its processes, without the client's. */
  cpuMs: number;
}

const own = "its own row for each task and attempt, with rights, quotas, logs and events; all in the commit that is answered";

/** Tasks of the engine (set-result-parameter), and user code in both of the ways that keep it warm. */
async function startMillrace(context: BenchContext): Promise<Runner[]> {
  const { client, service } = context;
  const stopWorker = await startExternalWorker(context, () => undefined);
  await client.createTask(functionTask("javascript")).catch(() => undefined);
  const kept = (steps: number) => functionChain("javascript", steps, true);
  const pure = (steps: number) => chain("pure", steps);
  const external = (steps: number) => chain("external", steps);
  for (const make of [kept, pure, external]) for (const steps of [3, 40]) await client.createWorkflow(make(steps)).catch(() => undefined);
  const runner = (
    name: string,
    differs: string,
    make: (steps: number) => { name: string },
    start = true,
    stop = async () => {},
  ): Runner => ({
    name,
    differs,
    rounds: [],
    running: {
      pids: [service.pid],
      async run(steps) {
        const run = await client.submitAndWait(make(steps).name, { start });
        if (run.status !== "succeeded") throw new Error(`run ${run.id} ended as ${run.status}`);
      },
      stop,
    },
  });
  return [
    runner("Millrace", `tasks of the engine, start=true; ${own}`, pure),
    runner("Millrace, queued", "the same through the queue", pure, false),
    runner(
      "Millrace, external",
      "user code in a warm process; its worker shares the client's process, whose time is not counted",
      external,
      true,
      stopWorker,
    ),
    runner("Millrace, kept function", "user code in a kept sandbox, an attempt each with its own log and limits", kept),
  ];
}

async function measureRound({ running }: Runner, isQuick: boolean): Promise<Round> {
  const forMs = isQuick ? 1_000 : 3_000;
  const threeMs = await medianMs(forMs, () => running.run(3));
  const fortyMs = await medianMs(forMs, () => running.run(40));
  const before = processorMs(running);
  let runs = 0;
  const startedAt = performance.now();
  // Slow ones end after the time limit, with the runs that are in progress.
  await ratePerSecond(forMs, 200, async () => {
    await running.run(3);
    runs++;
  });
  const ms = performance.now() - startedAt;
  return { threeMs, fortyMs, runsPerSecond: (runs * 1000) / ms, cpuMs: (processorMs(running) - before) / runs };
}

/** As many as fit in the time, one after the other; at least three. */
async function medianMs(forMs: number, work: () => Promise<void>): Promise<number> {
  const sample: number[] = [];
  for (const startedAt = performance.now(); sample.length < 3 || performance.now() - startedAt < forMs; ) sample.push(await timeMs(work));
  return median(sample);
}

function processorMs({ pids }: RunningPeer): number {
  return pids.map((pid) => cpuSeconds(pid)).reduce((sum, { service, others }) => sum + (service + others) * 1000, 0);
}

/** Each figure with its ratio to Millrace's: above 1 it is higher. */
function describe(runners: readonly Runner[]): Measurement[] {
  const [first] = runners;
  return runners.flatMap((runner) => {
    const one = (name: string, unit: string, read: (round: Round) => number): Measurement => {
      const value = median(runner.rounds.map(read));
      const base = median((first as Runner).rounds.map(read));
      return { name: `${runner.name}: ${name}`, value, unit, floor: { name: "Millrace", ratio: value / base } };
    };
    return [
      one("3 steps, p50", "ms", ({ threeMs }) => threeMs),
      one("40 steps, p50", "ms", ({ fortyMs }) => fortyMs),
      one("3 steps, 200 at once", "runs/s", ({ runsPerSecond }) => runsPerSecond),
      one("3 steps, processor time", "ms/run", ({ cpuMs }) => cpuMs),
    ];
  });
}
