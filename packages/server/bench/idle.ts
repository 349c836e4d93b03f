import type { BenchContext } from "./bench-context.ts";
import { cpuSeconds, descendants, proportionalMb, residentMb } from "./processes.ts";
import type { Measurement } from "./report.ts";

/** The cost of an idle service. Read from /proc, so on Linux only. */
export async function measureIdle({ service, isQuick }: BenchContext): Promise<Measurement[]> {
  if (process.platform !== "linux") return [];
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const seconds = isQuick ? 5 : 60;
  // The sessions of the cases before end within 75 s, and that is not idle; a minute afterwards has a round of everything.
  await pause(isQuick ? 2_000 : 80_000);
  const before = { cpu: totalCpu(service.pid), transactions: await countTransactions(service.database) };
  await pause(seconds * 1_000);
  const after = { cpu: totalCpu(service.pid), transactions: await countTransactions(service.database) };
  const pids = descendants(service.pid);
  const nodeMb = residentMb(service.pid);
  const allMb = [service.pid, ...pids].reduce((sum, pid) => sum + proportionalMb(pid), 0);
  return [
    {
      name: "idle: processor, service and database",
      value: ((after.cpu - before.cpu) / seconds) * 100,
      unit: "% of a core",
      aim: { atMost: 1 },
    },
    // One of them is the second count itself.
    { name: "idle: queries", value: Math.max(0, after.transactions - before.transactions - 1) / seconds, unit: "/s", aim: { atMost: 2 } },
    { name: "idle: memory of the service", value: nodeMb, unit: "MB", aim: { atMost: 150 } },
    { name: "idle: memory with its database", value: allMb, unit: "MB" },
  ];
}

async function countTransactions(database: BenchContext["service"]["database"]): Promise<number> {
  await database`select pg_stat_clear_snapshot()`.catch(() => {});
  const [row] = await database<{ count: number }[]>`
    select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? 0;
}

function totalCpu(pid: number): number {
  const { service, others } = cpuSeconds(pid);
  return service + others;
}
