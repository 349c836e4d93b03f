import { resolve } from "node:path";
import { repositoryRoot } from "../src/base/file/repository-root.ts";
import type { BenchContext } from "./bench-context.ts";
import { BenchClient } from "./client.ts";
import { throughput } from "./measure-runs.ts";
import { startService } from "./service.ts";
import { median } from "./statistics.ts";
import { chain } from "./workflows.ts";

/**
 * `npm run bench -- --against CHECKOUT`: what a run of three pure tasks costs here and in another checkout, whose services stand beside each
 * other and are loaded in turn. So other work on the machine meets both, and the ratio of a pair says more than either figure.
 */
interface Cost {
  serviceMs: number;
  databaseMs: number;
  walBytes: number;
  runsPerSecond: number;
}

interface Way {
  title: string;
  start: boolean;
  callers: number;
  runs: number;
}

interface Side {
  name: string;
  measure(way: Way): Promise<Cost>;
  stop(): Promise<void>;
}

export async function comparePairs(checkout: string, isQuick: boolean): Promise<void> {
  const [runs, pairs] = isQuick ? [1_000, 5] : [4_000, 9];
  const ways: Way[] = [
    { title: "start=true, 200 callers", start: true, callers: 200, runs },
    { title: "through the queue, 200 callers", start: false, callers: 200, runs },
    { title: "start=true, one after the other", start: true, callers: 1, runs: runs / 2 },
  ];
  const sides: Side[] = [];
  try {
    sides.push(await openSide("other", resolve(checkout)));
    sides.push(await openSide("this", repositoryRoot));
    for (const way of ways) {
      // What is compiled and cached at first is not what a user meets.
      for (const side of sides) await side.measure(way);
      const costs = new Map(sides.map((side): [string, Cost[]] => [side.name, []]));
      for (let pair = 0; pair < pairs; pair++) {
        const order = pair % 2 === 0 ? sides : [...sides].reverse();
        for (const side of order) costs.get(side.name)?.push(await side.measure(way));
      }
      report(way.title, costs);
    }
  } finally {
    for (const side of sides) await side.stop();
  }
}

async function openSide(name: string, checkout: string): Promise<Side> {
  const service = await startService({}, checkout);
  const connect = () => new BenchClient(service.url, [service.token]);
  const workflow = chain("pure", 3);
  await connect().prepareTeam();
  await connect().createWorkflow(workflow);
  const written = async () => {
    const [row] = await service.database<{ bytes: number }[]>`select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as bytes`;
    return row?.bytes ?? 0;
  };
  return {
    name,
    async measure({ start, callers, runs }) {
      // Connections of its own: those of the last measurement may have been closed while the other side had its turn.
      const context: BenchContext = { service, client: connect(), isQuick: false, isLong: false, results: [] };
      const before = await written();
      const { cpuMs, runsPerSecond } = await throughput(context, workflow, start, runs, callers);
      return { serviceMs: cpuMs.service, databaseMs: cpuMs.database, walBytes: ((await written()) - before) / runs, runsPerSecond };
    },
    stop: () => service.stop(),
  };
}

function report(title: string, costs: ReadonlyMap<string, readonly Cost[]>): void {
  console.info(title);
  const of = (name: string, what: (cost: Cost) => number) => (costs.get(name) ?? []).map(what);
  for (const name of costs.keys()) {
    const figure = (what: (cost: Cost) => number) => median(of(name, what)).toPrecision(3);
    console.info(
      `  ${name.padEnd(5)}  ${figure(sumMs)} ms of processor time a run: service ${figure((cost) => cost.serviceMs)}, database ` +
        `${figure((cost) => cost.databaseMs)}; ${figure((cost) => cost.walBytes / 1024)} kB of WAL; ${median(of(name, (cost) => cost.runsPerSecond)).toFixed(0)} runs/s`,
    );
  }
  const others = of("other", sumMs);
  const ratios = of("this", sumMs).map((ms, pair) => ms / (others[pair] ?? Number.NaN));
  console.info(`  this / other: median ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`);
}

function sumMs({ serviceMs, databaseMs }: Cost): number {
  return serviceMs + databaseMs;
}
