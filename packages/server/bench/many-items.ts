import type { BenchContext } from "./bench-context.ts";
import { cpuSeconds, residentMb } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { timeMs } from "./statistics.ts";
import { fanOut } from "./workflows.ts";

const memoryEveryMs = 20;
const healthEveryMs = 100;

/** One run over a list of the maximum length: how long it takes, what it costs, and how long an easy request waits meanwhile. */
export async function measureManyItems({ client, service, isQuick }: BenchContext): Promise<Measurement[]> {
  const items = isQuick ? 10_000 : 100_000;
  const [small, large] = [fanOut("pure", 500), fanOut("pure", items)];
  await client.createWorkflow(small);
  await client.createWorkflow(large);
  for (let times = 0; times < 5; times++) await client.waitForEnd(await client.submit(small.name, { start: false }));
  const before = cpuSeconds(service.pid);
  let peakMb = residentMb(service.pid);
  let slowestMs = 0;
  let isOver = false;
  const memory = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(service.pid));
  }, memoryEveryMs);
  const health = (async () => {
    while (!isOver) {
      slowestMs = Math.max(slowestMs, await timeMs(() => client.send("GET", "/health")));
      await new Promise((resolve) => setTimeout(resolve, healthEveryMs));
    }
  })();
  const ms = await timeMs(async () => client.waitForEnd(await client.submit(large.name, { start: false })));
  clearInterval(memory);
  isOver = true;
  await health;
  const after = cpuSeconds(service.pid);
  const what = `one run of ${items} pure items`;
  return [
    { name: what, value: ms / 1000, unit: "s", aim: { atMost: 8 } },
    { name: `${what}: processor time of the service`, value: after.service - before.service, unit: "s" },
    { name: `${what}: processor time of the database`, value: after.others - before.others, unit: "s" },
    { name: `${what}: memory of the service at most`, value: peakMb, unit: "MB", aim: { atMost: 400 } },
    { name: `${what}: slowest answer of /health meanwhile`, value: slowestMs, unit: "ms", aim: { atMost: 100 } },
  ];
}
