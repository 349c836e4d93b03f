import type { BenchContext } from "./bench-context.ts";
import { cpuSeconds } from "./processes.ts";
import type { Measurement } from "./report.ts";
import type { BenchService } from "./service.ts";
import { repeat } from "./statistics.ts";
import { chain } from "./workflows.ts";

/** Until the moment, so that nothing else is in progress then. */
const leadMs = 5_000;

/** Many schedules that are due at the same moment, as at the full hour: the time until the last of their runs is recorded. */
export async function measureSchedules({ client, service, isQuick }: BenchContext): Promise<Measurement[]> {
  const count = isQuick ? 1_000 : 5_000;
  const workflow = { ...chain("pure", 1), name: "by-schedule", triggers: { schedule: { enabled: true } } };
  await client.createWorkflow(workflow);
  const schedule = { workflowRef: workflow.name, type: "runOnce", dateSchedule: Date.now() + 365 * 24 * 3600 * 1000, timezone: "UTC" };
  await repeat(count, 16, () => client.send("POST", `/api/v2/team/${client.team}/schedule`, schedule));
  const dueAt = Date.now() + leadMs;
  // Creating them takes an unpredictable time, so all of them are brought forward at once afterwards.
  const at = new Date(dueAt);
  await service.database`update schedule set date_at = ${at}, next_at = ${at}, fire_at = ${at}`;
  // The engine does not know of that. A schedule that the API creates makes it read when the next one is due.
  await client.send("POST", `/api/v2/team/${client.team}/schedule`, schedule);
  await new Promise((resolve) => setTimeout(resolve, dueAt - Date.now()));
  const before = cpuSeconds(service.pid);
  const lastAt = await waitForFirings(service, count);
  const cpu = cpuSeconds(service.pid);
  const perFiring = (seconds: number) => (seconds * 1000) / count;
  const name = `${count.toLocaleString("en")} schedules due at one moment`;
  return [
    { name, value: lastAt - dueAt, unit: "ms" },
    { name: `${name}: firings`, value: (count * 1000) / (lastAt - dueAt), unit: "/s", aim: { atLeast: 1_500 } },
    { name: `${name}: processor time of the service`, value: perFiring(cpu.service - before.service), unit: "ms/firing" },
    { name: `${name}: processor time of the database`, value: perFiring(cpu.others - before.others), unit: "ms/firing" },
  ];
}

/** @returns when the last run was recorded, in epoch milliseconds of the database */
async function waitForFirings({ database }: BenchService, count: number): Promise<number> {
  for (;;) {
    const [state] = await database<{ fired: number; lastAt: number; refused: number }[]>`
      select count(*)::int as fired, count(*) filter (where outcome <> 'submitted')::int as refused,
        extract(epoch from max(fired_at))::float8 * 1000 as "lastAt" from schedule_firing`;
    if (state?.refused) throw new Error(`${state.refused} firings came to no run`);
    if (state?.fired === count) return state.lastAt;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
