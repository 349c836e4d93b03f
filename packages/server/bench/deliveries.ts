import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { BenchContext } from "./bench-context.ts";
import { cpuSeconds } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { median, percentile } from "./statistics.ts";

/** Runs with events: events of the same run are delivered one after the other. */
const eventsPerRun = 3;

interface Receiver {
  url: string;
  /** From the change to the arrival of its event, in milliseconds. */
  delaysMs: number[];
  arrived(count: number): Promise<void>;
  stop(): void;
}

/** Accepts webhooks, or never responds to any of them. */
async function startReceiver(isSilent = false): Promise<Receiver> {
  const delaysMs: number[] = [];
  const server = createServer(async (request, response) => {
    const event = JSON.parse(await bodyOf(request)) as { time: string };
    delaysMs.push(Date.now() - Date.parse(event.time));
    if (!isSilent) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    delaysMs,
    async arrived(count) {
      while (delaysMs.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function subscribe({ client }: BenchContext, name: string, url: string): Promise<() => Promise<void>> {
  const path = `/api/v2/team/${client.team}/subscription`;
  await client.send("POST", path, { name, target: { url }, filters: [{ exact: { workflow: "bench" } }] });
  return async () => void (await client.send("DELETE", `${path}/${name}`));
}

/** Changes of invented runs, as the database records them. */
async function changeRuns({ service: { database }, client }: BenchContext, runs: number): Promise<void> {
  await database`
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_name, data)
    select t.id, 'workflowrun', 'running', r.id, r.id, t.name, 'bench', json_build_object('id', r.id, 'status', 'running', 'workflowName', 'bench')
    from team t, (select new_id() as id from generate_series(1, ${runs})) r, generate_series(1, ${eventsPerRun}) where t.name = ${client.team}`;
}

/** Many changes at one moment: the time from then until the last of their events has arrived. */
async function measureRate(context: BenchContext): Promise<Measurement[]> {
  const { service, isQuick } = context;
  const runs = isQuick ? 500 : 4_000;
  const count = runs * eventsPerRun;
  const receiver = await startReceiver();
  const unsubscribe = await subscribe(context, "rate", receiver.url);
  const before = cpuSeconds(service.pid);
  const startedAt = performance.now();
  await changeRuns(context, runs);
  await receiver.arrived(count);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuSeconds(service.pid);
  await unsubscribe();
  receiver.stop();
  const name = `${count.toLocaleString("en")} events at one moment to one webhook`;
  return [
    { name: `${name}: deliveries`, value: count / seconds, unit: "/s", aim: { atLeast: 500 } },
    { name: `${name}: processor time of the service`, value: ((cpu.service - before.service) * 1000) / count, unit: "ms/delivery" },
    { name: `${name}: processor time of the database`, value: ((cpu.others - before.others) * 1000) / count, unit: "ms/delivery" },
  ];
}

/** Changes at a steady pace to some webhooks: how late their events are. If one of them never responds, the others must not be later. */
async function measureDelays(context: BenchContext, what: string, hasDeaf: boolean): Promise<Measurement[]> {
  const rounds = context.isQuick ? 30 : 150;
  const runsPerRound = 5;
  const receivers = await Promise.all(Array.from({ length: 4 }, () => startReceiver()));
  // The same amount of work with and without it.
  const all = [await startReceiver(hasDeaf), ...receivers];
  const ends = await Promise.all(all.map((receiver, index) => subscribe(context, `delay-${index}`, receiver.url)));
  for (let round = 0; round < rounds; round++) {
    await changeRuns(context, runsPerRound);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const receiver of receivers) await receiver.arrived(rounds * runsPerRound * eventsPerRun);
  for (const end of ends) await end();
  for (const receiver of all) receiver.stop();
  const delays = receivers.flatMap(({ delaysMs }) => delaysMs);
  return [
    { name: `${what}, p50`, value: median(delays), unit: "ms" },
    { name: `${what}, p99`, value: percentile(delays, 0.99), unit: "ms" },
  ];
}

export async function measureDeliveries(context: BenchContext): Promise<Measurement[]> {
  return [
    ...(await measureRate(context)),
    ...(await measureDelays(context, "from a change to the arrival at 4 of 5 webhooks", false)),
    ...(await measureDelays(context, "the same, while the fifth never answers", true)),
  ];
}
