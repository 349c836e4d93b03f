import type { BenchContext } from "./bench-context.ts";
import { BenchClient } from "./client.ts";
import { cpuSeconds, residentMb } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { median, percentile, ratePerSecond, timeMs } from "./statistics.ts";
import { chain, sleeper } from "./workflows.ts";

const dayMs = 24 * 3600 * 1000;

/**
 * The cost of sleeping runs: the speed of another team's runs before and beside them, memory, processor and rows read, and how fast they
 * wake up.
 */
export async function measureWaiting(context: BenchContext): Promise<Measurement[]> {
  const { service, client, isQuick } = context;
  const [many, due] = isQuick ? [10_000, 2_000] : [100_000, 20_000];
  const sleepers = new BenchClient(service.url, [service.token], "sleepers");
  await sleepers.prepareTeam();
  await sleepers.createWorkflow(sleeper);
  const { name } = chain("pure", 3);
  await client.createWorkflow(chain("pure", 3)).catch(() => undefined);
  await observe(context, name);
  await searchCatchesUp(context);

  const before = await observe(context, name);
  const fillSeconds = (await timeMs(() => submitMany(sleepers, many, () => dayMs))) / 1000;
  const rightAfter = await observe(context, name);
  const catchUpSeconds = (await timeMs(() => searchCatchesUp(context))) / 1000;
  const readBefore = await sequentialReads(context);
  const beside = await observe(context, name);
  const rowsRead = (await sequentialReads(context)) - readBefore;
  await searchCatchesUp(context);
  const idleAfter = await idleShare(context, 5, isQuick ? 5 : 30);
  const memoryAfter = residentMb(service.pid);
  if (!isQuick) await vacuumEnds(context);
  // The sessions that served the load end within 75 s, and that is not idle.
  const idle = await (isQuick ? idleShare(context, 5, 5) : idleShare(context, 80, 60));
  const memory = residentMb(service.pid);

  // Far enough ahead that the last of them is submitted before the first is due.
  const since = Date.now();
  const at = since + (isQuick ? 10_000 : 60_000);
  await submitMany(sleepers, due, () => Math.max(1, at - Date.now()));
  const lateMs = await wakeMs(context, { since, at });
  return [
    { name: `${many} runs are put to sleep`, value: fillSeconds, unit: "s", aim: { atMost: 100 } },
    { name: "3 pure tasks of another team, p50, nothing sleeps", value: before.p50, unit: "ms" },
    { name: `the same beside ${many} that sleep, p50`, value: beside.p50, unit: "ms", aim: { atMost: 1.2 * before.p50 } },
    { name: "3 pure tasks of another team, 200 at once, nothing sleeps", value: before.perSecond, unit: "runs/s" },
    { name: `the same beside ${many} that sleep`, value: beside.perSecond, unit: "runs/s", aim: { atLeast: 0.9 * before.perSecond } },
    { name: `the same right after ${many} were submitted, while the search indexes them`, value: rightAfter.perSecond, unit: "runs/s" },
    { name: "the search then knows all of them after another", value: catchUpSeconds, unit: "s" },
    { name: "3 pure tasks of another team, p95 of the latency, nothing sleeps", value: before.p95, unit: "ms" },
    { name: `the same beside ${many} that sleep, p95`, value: beside.p95, unit: "ms" },
    { name: "rows of run and task_run read one after the other meanwhile", value: rowsRead, unit: "", aim: { atMost: 1_000 } },
    { name: `idle with ${many} that sleep: processor, service and database`, value: idle, unit: "% of a core", aim: { atMost: 1 } },
    { name: "the same right after the work before, while the database vacuums its tables", value: idleAfter, unit: "% of a core" },
    { name: `memory of the service with ${many} that sleep`, value: memory, unit: "MB", aim: { atMost: 300 } },
    { name: "the same right after the work before", value: memoryAfter, unit: "MB" },
    { name: `${due} that are due at one moment, until the last has ended`, value: lateMs / 1000, unit: "s", aim: { atMost: 10 } },
  ];
}

interface Observation {
  p50: number;
  p95: number;
  perSecond: number;
}

async function observe({ client, isQuick }: BenchContext, workflow: string): Promise<Observation> {
  const sample: number[] = [];
  const submit = () => client.submit(workflow, { start: true });
  for (let index = 0; index < (isQuick ? 100 : 1_000); index++) sample.push(await timeMs(submit));
  const perSecond = await ratePerSecond(isQuick ? 2_000 : 10_000, 200, submit);
  return { p50: median(sample), p95: percentile(sample, 0.95), perSecond };
}

/** What was submitted before is then in the index of the search, which is written beside other work. */
async function searchCatchesUp({ service }: BenchContext): Promise<void> {
  const isLate = async () => (await service.database`select from run_search_due limit 1`).length > 0;
  while (await isLate()) await new Promise((resolve) => setTimeout(resolve, 500));
}

/** @param ms how long the next of them sleeps */
async function submitMany(client: BenchClient, times: number, ms: () => number): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next++ < times) await client.submit(sleeper.name, { start: true, params: [{ name: "ms", value: ms() }] });
  };
  await Promise.all(Array.from({ length: 64 }, caller));
}

/** Rows that sequential scans of the two largest tables have read so far, in all their partitions. */
async function sequentialReads({ service }: BenchContext): Promise<number> {
  // A backend reports what it did at most once a second, and when it is idle.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const [row] = await service.database<{ rows: number }[]>`
    select coalesce(sum(seq_tup_read), 0)::float8 as rows from pg_stat_user_tables where relname ~ '^(run|task_run)(_p?[0-9].*)?$'`;
  return row?.rows ?? 0;
}

/** What was written before is vacuumed in the minutes after it, and no more of that is seen for longer than the database pauses. */
async function vacuumEnds({ service }: BenchContext): Promise<void> {
  const endsAt = Date.now() + 5 * 60_000;
  for (let quietSince = Date.now(); Date.now() < endsAt && Date.now() - quietSince < 45_000; ) {
    const [row] = await service.database<{ workers: number }[]>`
      select count(*)::int as workers from pg_stat_activity where backend_type = 'autovacuum worker'`;
    if (row && row.workers > 0) quietSince = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** In percent of a core, over `seconds` after a pause of `pauseSeconds`. */
async function idleShare({ service }: BenchContext, pauseSeconds: number, seconds: number): Promise<number> {
  const total = () => {
    const { service: own, others } = cpuSeconds(service.pid);
    return own + others;
  };
  await new Promise((resolve) => setTimeout(resolve, pauseSeconds * 1_000));
  const before = total();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return ((total() - before) / seconds) * 100;
}

/**
 * Milliseconds from the moment that the sleepers were due until the last of them has ended.
 *
 * @param since they were submitted from then on
 */
async function wakeMs({ service }: BenchContext, { since, at }: { since: number; at: number }): Promise<number> {
  for (;;) {
    const [state] = await service.database<{ open: number; last: number }[]>`
      select count(*) filter (where r.ended_at is null)::int as open, extract(epoch from max(r.ended_at))::float8 * 1000 as last
      from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
      where w.name = ${sleeper.name} and r.created_at >= ${new Date(since)}`;
    if (state?.open === 0 && Date.now() > at) return state.last - at;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
