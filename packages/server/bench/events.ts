import type { BenchContext } from "./bench-context.ts";
import type { BenchClient } from "./client.ts";
import { cpuSeconds } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { median, percentile, repeat, timeMs } from "./statistics.ts";

/**
 * Events and webhooks from many senders at once: how many are accepted, each with its run recorded and committed, while the engine starts
 * the runs.
 */

const senders = 64;

export async function measureEvents({ service, client, isQuick }: BenchContext): Promise<Measurement[]> {
  const triggers = { event: { enabled: true, filters: [{ sql: "type LIKE 'order.%'" }] }, webhook: { enabled: true } };
  const workflow = { name: "on-order", tasks: [], triggers };
  await client.createWorkflow(workflow);
  const path = `/api/v2/team/${client.team}/workflow/${workflow.name}`;
  const { id } = await client.send<{ id: string }>("GET", path);
  const count = isQuick ? 1_000 : 10_000;
  const found: Measurement[] = [];
  for (const [name, send] of Object.entries(kindsOf(client, id))) {
    await repeat(count / 10, senders, send);
    const before = cpuSeconds(service.pid);
    const sample: number[] = [];
    const wholeMs = await timeMs(() => repeat(count, senders, async (index) => void sample.push(await timeMs(() => send(count + index)))));
    const cpu = cpuSeconds(service.pid);
    found.push(
      { name: `${name}, ${senders} at once`, value: (count * 1000) / wholeMs, unit: "/s", aim: { atLeast: 1_200 } },
      { name: `${name}: p50`, value: median(sample), unit: "ms" },
      { name: `${name}: p99`, value: percentile(sample, 0.99), unit: "ms", aim: { atMost: 100 } },
      { name: `${name}: processor time of the service`, value: ((cpu.service - before.service) * 1000) / count, unit: "ms each" },
      { name: `${name}: processor time of the database`, value: ((cpu.others - before.others) * 1000) / count, unit: "ms each" },
    );
  }
  return found;
}

/** Each is a different event, not a repetition. */
function kindsOf(client: BenchClient, workflow: string): Record<string, (index: number) => Promise<unknown>> {
  const data = { order: 7, customer: "Ada", items: [{ sku: "a-1", count: 2 }] };
  const event = (index: number) => ({ specversion: "1.0", id: `event-${index}`, source: "/bench", type: "order.placed", data });
  return {
    "POST /event": (index) => client.send("POST", `/api/v2/event?ref=${workflow}`, event(index)),
    "POST /webhook": () => client.send("POST", `/api/v2/webhook?ref=${workflow}`, data),
  };
}
