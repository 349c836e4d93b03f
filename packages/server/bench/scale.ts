import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../src/base/process/log.ts";
import { EmbeddedServer } from "../src/store/embedded/embedded.ts";
import type { BenchContext } from "./bench-context.ts";
import { BenchClient } from "./client.ts";
import { cpuSeconds } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { launchProcess, type ServiceProcess } from "./service.ts";
import { median, repeat, timeMs } from "./statistics.ts";
import { chain } from "./workflows.ts";

/**
 * One to four processes of the service, with all roles each, on one database: runs per second with 200 callers, who are distributed over
 * them.
 *
 * They share the cores of the machine with the database and the callers, so more processes can't make it faster, but their overhead is
 * visible. A second measurement gives each process its own fraction of a core, as on separate machines: there two should do twice as much
 * as one.
 */
export async function measureScale(context: BenchContext): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-scale-"));
  const database = await EmbeddedServer.start({ folder: join(folder, "postgres"), log: createLog("error") });
  try {
    const { socketFolder } = database.address as { socketFolder: string };
    const place: Place = {
      folder,
      databasePid: database.processId as number,
      environment: {
        DATABASE_URL: `postgres://millrace@localhost/millrace?host=${encodeURIComponent(socketFolder)}`,
        MILLRACE_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      },
    };
    return [...(await compare(context, place, [1, 2, 3, 4], undefined)), ...(await compareLimited(context, place))];
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  folder: string;
  databasePid: number;
  environment: Record<string, string>;
}

/** Small enough that two of them leave the database and the callers more than they need. */
const share = 0.2;

async function compareLimited(context: BenchContext, place: Place): Promise<Measurement[]> {
  if (limitFolder() !== undefined) return compare(context, place, [1, 2], share);
  process.stderr.write("  without control groups that this user may make, no process can be limited\n");
  return [];
}

async function compare(context: BenchContext, place: Place, counts: readonly number[], limit: number | undefined): Promise<Measurement[]> {
  const rounds = new Map<number, Round[]>(counts.map((count) => [count, []]));
  for (let round = 0; round < (context.isQuick ? 1 : 3); round++) {
    for (const count of counts) rounds.get(count)?.push(await measureRound(place, count, limit, context.isQuick));
  }
  const rate = (count: number) => median((rounds.get(count) ?? []).map(({ runsPerSecond }) => runsPerSecond));
  return counts.flatMap((count) => {
    const name = `${count} ${count === 1 ? "process" : "processes"}${limit === undefined ? "" : ` of ${limit} cores`}`;
    const cpu = median((rounds.get(count) ?? []).map(({ databaseMs }) => databaseMs));
    return [
      { name, value: rate(count), unit: "runs/s", floor: { name: "one process", ratio: rate(count) / rate(1) } },
      { name: `${name}: processor time of the database`, value: cpu, unit: "ms/run" },
    ];
  });
}

interface Round {
  runsPerSecond: number;
  databaseMs: number;
}

async function measureRound(place: Place, count: number, limit: number | undefined, isQuick: boolean): Promise<Round> {
  const services: ServiceProcess[] = [];
  const limits: (() => void)[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const folder = join(place.folder, `data-${index}`);
      services.push(await launchProcess(folder, place.environment));
    }
    const clients = services.map(({ url, token }) => new BenchClient(url, [token], "bench"));
    const [first] = clients as [BenchClient];
    await first.prepareTeam().catch(() => undefined);
    await first.createWorkflow(chain("pure", 3)).catch(() => undefined);
    const run = (index: number) =>
      (clients[index % clients.length] as BenchClient).submitAndWait(chain("pure", 3).name, { start: index % 2 === 0 });
    await repeat(isQuick ? 200 : 1_000, 50, run);
    if (limit !== undefined) limits.push(...services.map(({ pid }) => limitProcessor(pid, limit)));
    const runs = isQuick || limit !== undefined ? 500 : 4_000;
    const before = cpuSeconds(place.databasePid);
    const ms = await timeMs(() => repeat(runs, 200, run));
    const after = cpuSeconds(place.databasePid);
    const databaseMs = ((after.service + after.others - before.service - before.others) * 1000) / runs;
    return { runsPerSecond: (runs * 1000) / ms, databaseMs };
  } finally {
    for (const service of services) await service.stop();
    for (const remove of limits) remove();
  }
}

/** Where control groups of the cpu controller are created; undefined: this user can't create any. */
function limitFolder(): string | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  if (existsSync("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") || existsSync("/sys/fs/cgroup/cpu/cgroup.procs")) return "/sys/fs/cgroup/cpu";
  return existsSync("/sys/fs/cgroup/cgroup.controllers") ? "/sys/fs/cgroup" : undefined;
}

/** @returns what removes the limit, once the process has ended */
function limitProcessor(pid: number, cores: number): () => void {
  const parent = limitFolder() as string;
  const group = join(parent, `millrace-bench-${pid}`);
  mkdirSync(group);
  const periodUs = 20_000;
  if (parent.endsWith("/cpu")) {
    writeFileSync(join(group, "cpu.cfs_period_us"), `${periodUs}`);
    writeFileSync(join(group, "cpu.cfs_quota_us"), `${Math.round(cores * periodUs)}`);
  } else {
    writeFileSync(join(group, "cpu.max"), `${Math.round(cores * periodUs)} ${periodUs}`);
  }
  writeFileSync(join(group, "cgroup.procs"), `${pid}`);
  return () => rmdirSync(group);
}
