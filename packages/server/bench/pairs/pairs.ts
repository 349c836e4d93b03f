import { resolve } from "node:path";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";
import type { BenchContext } from "../bench-context.ts";
import { BenchClient } from "../client.ts";
import { cpuSeconds } from "../processes.ts";
import { startService } from "../service.ts";
import { median } from "../statistics.ts";
import { pairedWays, type Way } from "./paired-ways.ts";

/**
 * `npm run bench -- --against CHECKOUT [CASE…]`: the cost of runs here and in another checkout, whose services run side by side and get
 * load alternately. This way, other work on the machine affects both, and the ratio of a pair is more reliable than either figure.
 */
interface Cost {
  serviceMs: number;
  /** Processor time of the database, and of the processes of steps. */
  othersMs: number;
  walBytes: number;
  transactions: number;
  ms: number;
}

interface Side {
  name: string;
  context: BenchContext;
}

export async function comparePairs(checkout: string, isQuick: boolean, names: readonly string[]): Promise<void> {
  const known = pairedWays(isQuick);
  const ways = (names.length > 0 ? names : ["chain3"]).flatMap((name) => known[name] ?? fail(`Not compared: ${name}`));
  const sides: Side[] = [];
  try {
    sides.push(await openSide("other", resolve(checkout)));
    sides.push(await openSide("this", repositoryRoot));
    for (const way of ways) await compare(way, sides, isQuick ? 5 : 9);
  } finally {
    for (const { context } of sides) await context.service.stop();
  }
}

function fail(message: string): never {
  throw new Error(message);
}

async function openSide(name: string, checkout: string): Promise<Side> {
  const service = await startService({}, checkout);
  const client = new BenchClient(service.url, [service.token]);
  await client.prepareTeam();
  return { name, context: { service, client, isQuick: false, isLong: false, results: [] } };
}

async function compare(way: Way, sides: readonly Side[], pairs: number): Promise<void> {
  const costs = new Map(sides.map(({ name }): [string, Cost[]] => [name, []]));
  for (let pair = 0; pair < pairs; pair++) {
    for (const { name, context } of pair % 2 === 0 ? sides : [...sides].reverse()) costs.get(name)?.push(await measureOnce(way, context));
  }
  report(way, costs);
}

/** With its own connections and worker: the previous ones may have been closed while the other side had its turn. */
async function measureOnce(way: Way, { service, ...context }: BenchContext): Promise<Cost> {
  const { measure, close } = await way.open({ ...context, service, client: new BenchClient(service.url, [service.token]) });
  try {
    const before = await readCounters(service);
    const { count, ms } = await measure();
    const after = await readCounters(service);
    const each = (what: keyof typeof before) => (after[what] - before[what]) / count;
    return { serviceMs: each("serviceMs"), othersMs: each("othersMs"), walBytes: each("walBytes"), transactions: each("transactions"), ms };
  } finally {
    await close?.();
  }
}

/** Sessions of the database report their transactions a second late at most, which is little beside hundreds of steps. */
async function readCounters({ database, pid }: BenchContext["service"]) {
  const [row] = await database<{ bytes: number; transactions: number }[]>`
    select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as bytes, xact_commit::float8 as transactions
    from pg_stat_database where datname = current_database()`;
  const cpu = cpuSeconds(pid);
  const { bytes = 0, transactions = 0 } = row ?? {};
  return { walBytes: bytes, transactions, serviceMs: cpu.service * 1000, othersMs: cpu.others * 1000 };
}

function report({ title, unit }: Way, costs: ReadonlyMap<string, readonly Cost[]>): void {
  console.info(title);
  const of = (name: string, what: (cost: Cost) => number) => (costs.get(name) ?? []).map(what);
  for (const name of costs.keys()) {
    const figure = (what: (cost: Cost) => number) => median(of(name, what)).toPrecision(3);
    console.info(
      `  ${name.padEnd(5)}  ${figure(sumMs)} ms of processor time a ${unit}: service ${figure(({ serviceMs }) => serviceMs)}, others ` +
        `${figure(({ othersMs }) => othersMs)}; ${figure(({ transactions }) => transactions)} transactions, ` +
        `${figure(({ walBytes }) => walBytes / 1024)} kB of WAL; ${figure(({ ms }) => ms)} ms a run`,
    );
  }
  for (const [title, what] of [
    ["processor time", sumMs],
    ["time", ({ ms }: Cost) => ms],
  ] as const) {
    const others = of("other", what);
    const ratios = of("this", what).map((value, pair) => value / (others[pair] ?? Number.NaN));
    console.info(`  ${title}, this / other: median ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`);
  }
}

function sumMs({ serviceMs, othersMs }: Cost): number {
  return serviceMs + othersMs;
}
