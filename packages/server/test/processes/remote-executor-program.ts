import { createInterface } from "node:readline";
import type { JobHandle } from "../../src/engine/executor.ts";
import { createContainerExecutor } from "../../src/executors/container/container-executor.ts";
import { testOutbound } from "../kit/worker/executor-environment.ts";
import type { Answer, Order, RemoteSettings } from "../kit/worker/remote-executor.ts";

// A container executor in its own process, which may belong to another user: commands arrive as lines of JSON, and its results are sent
// back in the same way.
const settings = JSON.parse(process.argv[2] ?? "{}") as RemoteSettings;
const silent = { info: () => undefined, warn: () => undefined };
const executor = await createContainerExecutor({ ...settings, outbound: testOutbound, log: silent });
const running = new Map<number, JobHandle>();
const tell = (answer: Answer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
tell({ about: "executor", ...executor.describe() });

async function follow(order: Order): Promise<void> {
  if (order.act === "stop") return running.get(order.id)?.stop(order.why, order.graceMs);
  if (order.act === "settle") {
    await executor.settle();
    return tell({ about: "settled", id: order.id });
  }
  const handle = executor.start(order.job, (block) => {
    tell({ about: "lines", id: order.id, block: { ...block, text: block.text.toString() } });
    return undefined;
  });
  running.set(order.id, handle);
  tell({ about: "outcome", id: order.id, outcome: await handle.done });
}

for await (const line of createInterface({ input: process.stdin })) void follow(JSON.parse(line) as Order);
await executor.close();
