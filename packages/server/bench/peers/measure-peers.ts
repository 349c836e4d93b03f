import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchContext } from "../bench-context.ts";
import { cpuSeconds } from "../processes.ts";
import type { Measurement } from "../report.ts";
import { median, repeat, timeMs } from "../statistics.ts";
import { chain } from "../workflows.ts";
import { installPeers } from "./install-peers.ts";
import type { RunningPeer } from "./peer.ts";
import { dataFolder, peers } from "./peers.ts";

/**
 * Millrace beside other products, over HTTP from one client: a workflow of three steps, one after the other and 200 at once, and one of forty.
 * The rounds alternate, so that whatever else the machine does meets all of them, and the medians of the rounds are compared.
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
      await repeat(context.isQuick ? 100 : 1_000, 20, () => runner.running.run(3));
    }
    for (let round = 0; round < (context.isQuick ? 1 : 5); round++) {
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

/** The tasks of these are the engine's own (set-result-parameter). */
async function startMillrace({ client, service }: BenchContext): Promise<Runner[]> {
  await client.createWorkflow(chain("pure", 3)).catch(() => undefined);
  await client.createWorkflow(chain("pure", 40)).catch(() => undefined);
  const runner = (name: string, differs: string, start: boolean): Runner => ({
    name,
    differs,
    rounds: [],
    running: {
      pids: [service.pid],
      async run(steps) {
        const run = await client.submitAndWait(chain("pure", steps).name, { start });
        if (run.status !== "succeeded") throw new Error(`run ${run.id} ended as ${run.status}`);
      },
      stop: async () => undefined,
    },
  });
  return [
    runner("Millrace", `tasks of the engine, start=true; ${own}`, true),
    runner("Millrace, queued", `the same through the queue`, false),
  ];
}

async function measureRound({ running }: Runner, isQuick: boolean): Promise<Round> {
  const times = async (steps: number, count: number) => {
    const sample: number[] = [];
    for (let index = 0; index < count; index++) sample.push(await timeMs(() => running.run(steps)));
    return median(sample);
  };
  const threeMs = await times(3, isQuick ? 20 : 100);
  const fortyMs = await times(40, isQuick ? 3 : 10);
  const runs = isQuick ? 200 : 1_000;
  const before = processorMs(running);
  const ms = await timeMs(() => repeat(runs, 200, () => running.run(3)));
  return { threeMs, fortyMs, runsPerSecond: (runs * 1000) / ms, cpuMs: (processorMs(running) - before) / runs };
}

function processorMs({ pids }: RunningPeer): number {
  return pids.map((pid) => cpuSeconds(pid)).reduce((sum, { service, others }) => sum + (service + others) * 1000, 0);
}

/** Each figure with its ratio to Millrace's: above 1 it is more. */
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
