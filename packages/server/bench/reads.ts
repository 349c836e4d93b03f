import { fillDatabase } from "../test/kit/data/fill-database.ts";
import type { BenchContext } from "./bench-context.ts";
import { BenchClient } from "./client.ts";
import { floorNames, startBareRoute } from "./floors.ts";
import { residentMb } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { median, percentile, ratePerSecond, repeat, timeMs } from "./statistics.ts";

/** Reading and submitting in a team with few rows and in one with many: the two should not differ. */

interface Size {
  name: string;
  runs: number;
  workflows: number;
}

const sizes: readonly Size[] = [
  { name: "1k", runs: 1_000, workflows: 100 },
  { name: "100k", runs: 100_000, workflows: 10_000 },
];

/** Requests are distributed over this many addresses and credentials, so that no rate limit applies. */
const callers = 8;

/**
 * Both sizes and the bare route are measured alternately, request by request, so that other work on the machine affects all of them
 * equally.
 */
export async function measureReads(context: BenchContext): Promise<Measurement[]> {
  const tokens = await Promise.all(Array.from({ length: callers }, (_, index) => makeToken(context.client, `reader ${index}`)));
  const client = new BenchClient(context.service.url, tokens);
  const paths: string[] = [];
  for (const size of sizes) paths.push(await fillTeam(context, size));
  const [small, large] = await Promise.all(paths.map((path) => requestsOf(client, path)));
  const found: Measurement[] = [];
  for (const kind of Object.keys(small!)) {
    const [few, many] = await samplesOf([small![kind]!, large![kind]!], context.isQuick ? 100 : 1_000);
    found.push(...describe(kind, few!, many!));
  }
  const path = paths.at(-1)!;
  return [...found, ...(await measureRate(context, client, path)), ...(await measureMemory(context, client, path))];
}

function describe(kind: string, few: readonly number[], many: readonly number[]): Measurement[] {
  const isQuery = kind.startsWith("query");
  const p99 = percentile(many, 0.99);
  return [
    { name: `${kind}, 1k rows, p50`, value: median(few), unit: "ms" },
    { name: `${kind}, 1k rows, p99`, value: percentile(few, 0.99), unit: "ms" },
    { name: `${kind}, 100k rows, p50`, value: median(many), unit: "ms" },
    { name: `${kind}, 100k rows, p99`, value: p99, unit: "ms", ...(isQuery && { aim: { atMost: 20 } }) },
    { name: `${kind}, 100k against 1k, p50`, value: median(many) / median(few), unit: "x", ...(isQuery && { aim: { atMost: 1.2 } }) },
  ];
}

async function makeToken(client: BenchClient, name: string): Promise<string> {
  const { token } = await client.send<{ token: string }>("POST", "/api/v2/token", { type: "global", name, permissions: ["**/**"] });
  return token;
}

/** @returns the path of a team that has so many rows */
async function fillTeam({ client, service }: BenchContext, { name, runs, workflows }: Size): Promise<string> {
  const { id } = await client.send<{ id: string }>("POST", "/api/v2/team", { name: `bench-${name}`, displayName: name });
  const path = `/api/v2/team/bench-${name}`;
  await client.send("PATCH", path, {
    quotas: { maxWorkflowCount: 100_000, maxWorkflowRunMonthly: 1_000_000_000, maxConcurrentRuns: 1_000_000 },
  });
  await fillDatabase(service.database, [id], { workflows, runs, tasks: workflows, actions: runs, others: 0 });
  return path;
}

async function requestsOf(client: BenchClient, path: string): Promise<Record<string, () => Promise<unknown>>> {
  const { content } = await client.send<{ content: { id: string }[] }>("GET", `${path}/workflowrun/query?limit=1&page=0`);
  return {
    "get a workflow": () => client.send("GET", `${path}/workflow/workflow-7`),
    "get a run": () => client.send("GET", `${path}/workflowrun/${content[0]!.id}`),
    query: () => client.send("GET", `${path}/workflowrun/query?limit=20&page=0&order=DESC`),
    "query of workflows": () => client.send("GET", `${path}/workflow/query?limit=20&page=0`),
    "query of open actions": () => client.send("GET", `${path}/action/query?statuses=submitted&limit=20`),
    submit: () => client.send("POST", `${path}/workflow/workflow-7/submit`, { params: [] }),
  };
}

/** One after the other, alternating. */
async function samplesOf(kinds: readonly (() => Promise<unknown>)[], times: number): Promise<number[][]> {
  const samples = kinds.map((): number[] => []);
  for (let round = -50; round < times; round++) {
    for (const [index, send] of kinds.entries()) {
      const ms = await timeMs(send);
      if (round >= 0) samples[index]!.push(ms);
    }
  }
  return samples;
}

/** Reads and calls of the bare route alternately, half a second each. */
async function measureRate({ isQuick }: BenchContext, client: BenchClient, path: string): Promise<Measurement[]> {
  const bare = await startBareRoute();
  const reads: Record<string, () => Promise<unknown>> = {
    "read of a workflow": () => client.send("GET", `${path}/workflow/workflow-7`),
    "read of the default quotas": () => client.send("GET", "/api/v2/team/quotas/default"),
  };
  const found: Measurement[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const rates: { bare: number; read: number }[] = [];
    await ratePerSecond(1_000, 32, read);
    for (let round = 0; round < (isQuick ? 3 : 11); round++) {
      rates.push({ bare: await ratePerSecond(500, 32, bare.call), read: await ratePerSecond(500, 32, read) });
    }
    const ratio = median(rates.map((one) => one.read / one.bare));
    found.push({
      name: `${name}, 32 at once`,
      value: median(rates.map((one) => one.read)),
      unit: "/s",
      floor: { name: floorNames.route, ratio },
    });
    found.push({ name: `${name}, as a share of the bare route`, value: ratio, unit: "", aim: { atLeast: 0.25 } });
  }
  await bare.stop();
  return found;
}

/** Resident memory after a first fifth of the requests, and by how much it has grown after all of them. */
async function measureMemory({ service, isQuick, isLong }: BenchContext, client: BenchClient, path: string): Promise<Measurement[]> {
  const requests = isLong ? 1_000_000 : isQuick ? 2_000 : 50_000;
  const send = (index: number) =>
    client.send("GET", index % 10 === 0 ? `${path}/workflowrun/query?limit=20` : `${path}/workflow/workflow-${1 + (index % 1000)}`);
  await repeat(requests / 5, 32, send);
  const before = residentMb(service.pid);
  await repeat(requests, 32, send);
  const name = `memory of the service over ${requests.toLocaleString("en")} reads`;
  return [
    { name: `${name}: before`, value: before, unit: "MB" },
    { name: `${name}: more than before`, value: residentMb(service.pid) - before, unit: "MB", aim: { atMost: 50 } },
  ];
}
