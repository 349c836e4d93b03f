import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { BenchContext } from "../bench-context.ts";
import { BenchClient } from "../client.ts";
import { floorNames, spawnOnce } from "../floors.ts";
import { residentMb } from "../processes.ts";
import type { Measurement } from "../report.ts";
import { type BenchService, startService } from "../service.ts";
import { median, percentile, repeat, timeMs } from "../statistics.ts";
import { type ExecutorBench, openClusterBench, openContainerBench } from "./executor-benches.ts";

/**
 * The cost of executors compared with the bare engine: an empty task from its submission to its end, through the complete service, against
 * the same container or Job created manually, alternating in the same run; then 50 at once, while a client sends the service an easy
 * request; then output as fast as possible. An engine that is not available is skipped, with the reason.
 */
export async function measureExecutors(context: BenchContext): Promise<Measurement[]> {
  const asProcess: ExecutorBench = {
    name: "process",
    environment: {},
    floor: { name: `${floorNames.spawn}, in turn`, once: spawnOnce },
    close: async () => undefined,
  };
  const found: Measurement[] = [];
  const openers = [async () => asProcess, () => openContainerBench("docker"), () => openContainerBench("podman"), openClusterBench];
  for (const open of openers) {
    const bench = await open();
    if ("why" in bench) process.stderr.write(`  ${bench.name} is left out: ${bench.why}\n`);
    else found.push(...(await measureOrExplain(context, bench)));
  }
  return found;
}

/** An error in one of them does not lose the figures of the others. */
async function measureOrExplain(context: BenchContext, bench: ExecutorBench): Promise<Measurement[]> {
  try {
    return await measureOne(context, bench);
  } catch (error) {
    process.stderr.write(`  ${bench.name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return [{ name: `${bench.name} failed`, value: Number.NaN, unit: "" }];
  }
}

interface Place {
  service: BenchService;
  client: BenchClient;
}

async function measureOne(context: BenchContext, bench: ExecutorBench): Promise<Measurement[]> {
  const service = await startService({ MILLRACE_WORKER_SLOTS: "64", ...bench.environment }).catch(async (error) => {
    await bench.close();
    throw error;
  });
  const client = new BenchClient(service.url, [service.token]);
  try {
    await client.prepareTeam();
    await createTask(client, bench);
    const place = { service, client };
    const found: Measurement[] = [];
    for (const measure of [measureEmpty, measureFifty, measureOutput]) {
      process.stderr.write(`  ${bench.name}: ${measure.name} …\n`);
      found.push(...(await measure(context, bench, place)));
    }
    return found;
  } finally {
    await service.stop();
    await bench.close();
  }
}

/** One task that runs the given script; `items` of it side by side. */
async function createTask(client: BenchClient, { image }: ExecutorBench): Promise<void> {
  const step = { name: "run", ...(image && { image, imagePullPolicy: "Never" }), command: ["sh", "-c"], args: ["$(params.script)"] };
  const spec = { params: [{ name: "script", type: "string" }], steps: [step] };
  await client.send("POST", `/api/v2/team/${client.team}/task`, { name: "bench-step", type: "template", spec });
}

async function createWorkflow(client: BenchClient, name: string, script: string, items: number): Promise<void> {
  const params = [{ name: "script", value: script }];
  const forEach = items > 1 ? { forEach: { items: Array.from({ length: items }, (_, index) => index), parallel: 1_000 } } : {};
  await client.createWorkflow({ name, tasks: [{ name: "run", taskRef: "bench-step", params, timeout: 10, ...forEach }] } as {
    name: string;
  });
}

async function runOnce(client: BenchClient, workflow: string): Promise<string> {
  const run = await client.submit(workflow, { start: true });
  await client.waitForEnd(run);
  return run.id;
}

/** The floor and the service alternate, so that other work on the machine affects both. */
async function measureEmpty({ isQuick }: BenchContext, bench: ExecutorBench, { client }: Place): Promise<Measurement[]> {
  await createWorkflow(client, "empty", ":", 1);
  await runOnce(client, "empty");
  await bench.floor.once();
  const taken: Record<"floor" | "service" | "command", number[]> = { floor: [], service: [], command: [] };
  for (let turn = 0; turn < (isQuick ? 5 : 20); turn++) {
    taken.floor.push(await timeMs(bench.floor.once));
    taken.service.push(await timeMs(() => runOnce(client, "empty")));
    if (bench.byCommand) taken.command.push(await timeMs(bench.byCommand.once));
  }
  const floor = median(taken.floor);
  const value = median(taken.service);
  const ratio = value / floor;
  return [
    { name: bench.floor.name, value: floor, unit: "ms" },
    ...(bench.byCommand ? [{ name: bench.byCommand.name, value: median(taken.command), unit: "ms" }] : []),
    { name: `empty task, ${bench.name}, p50`, value, unit: "ms", floor: { name: bench.floor.name, ratio } },
    { name: `empty task, ${bench.name}, p99`, value: percentile(taken.service, 0.99), unit: "ms" },
    ...(bench.image ? [{ name: `empty task, ${bench.name}, against its floor`, value: ratio, unit: "x", aim: { atMost: 1.3 } }] : []),
  ];
}

/** API, engine and worker are one process here: if something blocks its event loop, an easy request takes longer. */
async function measureFifty({ isQuick }: BenchContext, bench: ExecutorBench, { client }: Place): Promise<Measurement[]> {
  const items = isQuick ? 20 : 50;
  await createWorkflow(client, "fifty", ":", items);
  const bare = bench.image ? await timeMs(() => repeat(items, items, bench.floor.once)) : Number.NaN;
  const answers: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      answers.push(await timeMs(() => client.send("GET", `/api/v2/team/${client.team}`)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const value = await timeMs(() => runOnce(client, "fifty"));
  isOver = true;
  await asking;
  const name = `${items} at once, ${bench.name}`;
  const floor = Number.isNaN(bare) ? {} : { floor: { name: `${items} x ${bench.floor.name} at once`, ratio: value / bare } };
  return [
    { name, value, unit: "ms", ...floor },
    { name: `${name}: answer of the API meanwhile, p50`, value: median(answers), unit: "ms" },
    { name: `${name}: answer of the API meanwhile, slowest`, value: Math.max(...answers), unit: "ms" },
  ];
}

const lineBytes = 100;

/**
 * Several tasks print as fast as they can; every line has to be in the log, and memory is measured meanwhile. The rate is reported twice:
 * from the submission, as a user experiences it and as the engine's own command is measured, and from the first line, without the cost of
 * starting.
 */
async function measureOutput({ isQuick }: BenchContext, bench: ExecutorBench, { client, service }: Place): Promise<Measurement[]> {
  const tasks = 4;
  const lines = isQuick ? 50_000 : 600_000;
  const text = "x".repeat(lineBytes - 1);
  const script = `yes ${text} | head -n ${lines}`;
  await createWorkflow(client, "output", script, tasks);
  const { byCommand } = bench;
  const floorMs = byCommand && (await timeMs(() => repeat(tasks, tasks, () => byCommand.print(script))));
  const memory = watchMemory(service.pid);
  const beganAt = Date.now();
  const runId = await runOnce(client, "output");
  const endedAt = Date.now();
  const memoryMb = memory.stop();
  const kept = await readLines(client, service, runId, text);
  const rate = (ms: number): number => (tasks * lines * lineBytes) / 1e3 / ms;
  const name = `output, by ${byCommand?.name}, thrown away`;
  const own = floorMs === undefined ? [] : [{ name, value: rate(floorMs), unit: "MB/s" }];
  const floor = floorMs === undefined ? {} : { floor: { name, ratio: floorMs / (endedAt - beganAt) } };
  return [
    ...own,
    { name: `output, ${bench.name}, from the submission`, value: rate(endedAt - beganAt), unit: "MB/s", ...floor },
    { name: `output, ${bench.name}`, value: rate(endedAt - kept.firstAt), unit: "MB/s", aim: { atLeast: 50 } },
    { name: `output, ${bench.name}: lines that are missing`, value: tasks * lines - kept.count, unit: "", aim: { atMost: 0 } },
    { name: `output, ${bench.name}: memory that the service took for it`, value: memoryMb, unit: "MB", aim: { atMost: 150 } },
  ];
}

/** `stop` returns by how much the memory of a process has grown at most, in MB. */
function watchMemory(pid: number): { stop(): number } {
  const before = residentMb(pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, 100);
  return {
    stop() {
      clearInterval(timer);
      return peak - before;
    },
  };
}

/** Lines as a reader of the log gets them: how many there are, and when the first one arrived, in epoch ms. */
async function readLines(
  client: BenchClient,
  { url, token }: BenchService,
  runId: string,
  text: string,
): Promise<{ count: number; firstAt: number }> {
  const { tasks } = await client.send<{ tasks: { id: string; item?: number }[] }>(
    "GET",
    `/api/v2/team/${client.team}/workflowrun/${runId}`,
  );
  let count = 0;
  let firstAt = Number.POSITIVE_INFINITY;
  for (const { id } of tasks.filter(({ item }) => item !== undefined)) {
    const response = await fetch(`${url}/api/v2/taskrun/${id}/log?timestamps=true`, { headers: { authorization: `Bearer ${token}` } });
    const lines = createInterface({ input: Readable.fromWeb(response.body as WebStream), crlfDelay: Number.POSITIVE_INFINITY });
    let isFirst = true;
    for await (const line of lines) {
      if (!line.endsWith(text)) continue;
      count++;
      if (isFirst) firstAt = Math.min(firstAt, Date.parse(line.slice(0, line.indexOf(" "))));
      isFirst = false;
    }
  }
  return { count, firstAt };
}
