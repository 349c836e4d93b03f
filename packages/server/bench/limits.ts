import type { BenchContext } from "./bench-context.ts";
import { BenchClient } from "./client.ts";
import { cpuSeconds } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { median, repeat } from "./statistics.ts";
import { chain, sleeper } from "./workflows.ts";

const dayMs = 24 * 3600 * 1000;
const concurrency = { key: "$(params.customer)", max: 1 };
const keyOf = (index: number) => [{ name: "customer", value: `customer-${index % 10_000}` }];

/**
 * The cost of a limit with 10,000 keys: claiming queued runs of the same team while each key has a run, and the processor time of a run
 * with a key and without one, alternating, so that other work on the machine affects both.
 */
export async function measureLimits({ service, isQuick }: BenchContext): Promise<Measurement[]> {
  const client = new BenchClient(service.url, [service.token], "limits");
  const plain = new BenchClient(service.url, [service.token], "no-limits");
  await client.prepareTeam();
  await plain.prepareTeam();
  const [free, keyed] = [chain("pure", 3), { ...chain("pure", 3), name: "pure-keyed", concurrency }];
  for (const team of [client, plain]) await team.createWorkflow(free);
  await plain.submit(free.name, { start: true });
  await client.createWorkflow(keyed);
  await client.createWorkflow({ ...sleeper, name: "held", concurrency } as typeof sleeper);
  const runs = isQuick ? 1_000 : 2_000;
  await cpuOf(free.name, 500);
  const keys = isQuick ? 1_000 : 10_000;
  let next = 0;
  // One of each key sleeps, and one is held.
  await repeat(2 * keys, 64, () =>
    client.submit("held", { start: false, params: [...keyOf(next++ % keys), { name: "ms", value: dayMs }] }),
  );
  const claim = await claimMs();
  const cost: { free: Cpu[]; keyed: Cpu[] } = { free: [], keyed: [] };
  for (let round = 0; round < (isQuick ? 2 : 3); round++) {
    cost.free.push(await cpuOf(free.name, runs));
    cost.keyed.push(await cpuOf(keyed.name, runs));
  }
  const of = (list: readonly Cpu[], part: keyof Cpu) => median(list.map((one) => one[part]));
  return [
    { name: "claim of 50 queued runs of a team where nothing is held", value: claim.free, unit: "ms" },
    { name: `the same beside ${keys} keys with a held run each`, value: claim.beside, unit: "ms", aim: { atMost: 1.1 * claim.free } },
    { name: "3 pure tasks: processor time of service and database", value: of(cost.free, "all"), unit: "ms/run" },
    { name: "the same with concurrency.key", value: of(cost.keyed, "all"), unit: "ms/run" },
    { name: "3 pure tasks: processor time of the database", value: of(cost.free, "database"), unit: "ms/run" },
    { name: "the same with concurrency.key, of the database", value: of(cost.keyed, "database"), unit: "ms/run" },
  ];

  async function cpuOf(workflow: string, times: number): Promise<Cpu> {
    let index = 0;
    const before = cpuSeconds(service.pid);
    await repeat(times, 64, () => client.submit(workflow, { start: false, params: keyOf(index++) }));
    await allOver(workflow);
    const after = cpuSeconds(service.pid);
    const own = ((after.service - before.service) * 1000) / times;
    const database = ((after.others - before.others) * 1000) / times;
    return { all: own + database, database };
  }

  async function allOver(workflow: string): Promise<void> {
    for (;;) {
      const [row] = await service.database<{ open: number }[]>`
        select count(*)::int as open from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
        where w.name = ${workflow} and r.ended_at is null`;
      if (row?.open === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The function with which engines claim runs, on 50 rows that are rolled back: alternating between both teams. */
  async function claimMs(): Promise<{ free: number; beside: number }> {
    await service.database`vacuum analyze run`;
    const [without, beside]: number[][] = [[], []];
    for (let index = 0; index < (isQuick ? 50 : 200); index++) {
      without?.push(await claimOnce(plain.team));
      beside?.push(await claimOnce(client.team));
    }
    return { free: median(without ?? []), beside: median(beside ?? []) };
  }

  async function claimOnce(team: string): Promise<number> {
    const undone = new Error("rolled back as intended");
    let ms = Number.NaN;
    await service.database
      .begin(async (tx) => {
        await tx`
          insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count)
          select r.team_id, r.workflow_id, r.workflow_version_id, r.workflow_version, r.task_version_ids, 'ready', 'pending', r.trigger, r.layers, 0
          from (select r.* from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id join team t on t.id = w.team_id
                where w.name = ${free.name} and t.name = ${team} limit 1) r,
            generate_series(1, 50)`;
        await tx`select note_work(array(select id from team where name = ${team}))`;
        const [row] = await tx<{ ms: number; claimed: number }[]>`
          with begun as materialized (select clock_timestamp() as at),
            claimed as materialized (select count(*)::int as claimed from begun, claim_active_runs(50, 1000000))
          select claimed, extract(epoch from clock_timestamp() - begun.at)::float8 * 1000 as ms from begun, claimed`;
        if (row?.claimed !== 50) throw new Error(`claimed ${row?.claimed} runs instead of 50`);
        ms = row.ms;
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return ms;
  }
}

interface Cpu {
  all: number;
  database: number;
}
