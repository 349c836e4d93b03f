import type { BenchContext } from "./bench-context.ts";
import { cpuSeconds } from "./processes.ts";
import type { BenchService } from "./service.ts";
import { repeat, timeMs } from "./statistics.ts";
import type { BenchWorkflow } from "./workflows.ts";

/** From the submit request until the client knows the end, one run after the other. It polls, which slows down a run that takes long. */
export async function latencies({ client }: BenchContext, workflow: BenchWorkflow, start: boolean, times: number): Promise<number[]> {
  const one = async () => client.waitForEnd(await client.submit(workflow.name, { start }));
  const sample: number[] = [];
  for (let index = 0; index < times; index++) sample.push(await timeMs(one));
  return sample;
}

/** The same without polling, which would slow down the steps: the submission responds when the run has ended. */
export async function answeredLatencies({ client }: BenchContext, workflow: BenchWorkflow, times: number): Promise<number[]> {
  const sample: number[] = [];
  for (let index = 0; index < times; index++) sample.push(await timeMs(() => client.submitAndWait(workflow.name, { start: true })));
  return sample;
}

export interface Throughput {
  runsPerSecond: number;
  /** Processor time of one run, in milliseconds: it is more reliable than the rate if other programs use the machine. */
  cpuMs: { service: number; database: number };
}

/**
 * Runs per second with this many callers, from the first submission until the last run has ended. Submitting and executing share the
 * machine, as in production; the ends are read from the database, so that polling costs nothing.
 */
export async function throughput(
  { client, service }: BenchContext,
  workflow: BenchWorkflow,
  start: boolean,
  runs: number,
  callers = 200,
): Promise<Throughput> {
  const cpuBefore = cpuSeconds(service.pid);
  const [before] = await service.database<{ at: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`;
  const startedAt = before?.at ?? 0;
  await repeat(runs, callers, () => client.submit(workflow.name, { start }));
  const lastAt = await waitForAll(service, workflow.name, startedAt);
  const cpu = cpuSeconds(service.pid);
  const perRun = (seconds: number) => (seconds * 1000) / runs;
  return {
    runsPerSecond: (runs * 1000) / (lastAt - startedAt),
    cpuMs: { service: perRun(cpu.service - cpuBefore.service), database: perRun(cpu.others - cpuBefore.others) },
  };
}

/** @returns when the last of the workflow's runs since that time ended; both in epoch milliseconds of the database */
async function waitForAll({ database }: BenchService, workflow: string, since: number): Promise<number> {
  for (;;) {
    const [state] = await database<{ open: number; lastAt: number }[]>`
      select count(*) filter (where r.ended_at is null)::int as open, extract(epoch from max(r.ended_at))::float8 * 1000 as "lastAt"
      from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
      where w.name = ${workflow} and r.created_at >= to_timestamp(${since / 1000}::float8)`;
    if (state?.open === 0) return state.lastAt;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
