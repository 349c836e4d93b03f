import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createLog } from "../src/base/log.ts";
import { createSweepService } from "../src/services/housekeeping-service.ts";
import type { DatabaseAddress } from "../src/store/database-address.ts";
import { engineNode } from "./engine-node.ts";
import { testExecutor } from "./test-executor.ts";

/**
 * One process of the service, to be killed and stopped: engine and worker, with an executor whose jobs leave a line in a file when they
 * begin and when they end. Says `ready` when it works; ends on SIGTERM.
 */
const settings = JSON.parse(process.argv[2] as string) as { address: DatabaseAddress; effects: string; leaseSeconds: number };

const effect = (line: string) => appendFileSync(settings.effects, `${line}\n`);
const executor = testExecutor(async (job, _script, print, stopped) => {
  effect(`begin ${job.taskRunId} ${job.attempt}`);
  print("working");
  await Promise.race([pause(5 + Math.random() * 150), stopped]);
  effect(`end ${job.taskRunId} ${job.attempt}`);
  return {};
});
const node = engineNode(settings.address, { executor, slots: 6, leaseSeconds: settings.leaseSeconds, graceMs: 100 });
const sweep = createSweepService(node.sql, node.context.settings, node.wire, createLog("silent"));
await node.start();
await sweep.start();
process.once("SIGTERM", async () => {
  await sweep.stop();
  await node.stop();
});
process.stdout.write("ready\n");
