import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createLog } from "../../src/base/process/log.ts";
import { createHeartbeats } from "../../src/services/heartbeat.ts";
import type { DatabaseAddress } from "../../src/store/database/database-address.ts";
import { engineNode } from "../kit/run/engine-node.ts";
import { testExecutor } from "../kit/worker/test-executor.ts";

/**
 * One process of the service, with the heartbeat thread, to be killed, stopped and blocked. Its jobs write a line to a file, with the name
 * of the process, when they start and when they end or are stopped; they end on the command `finish`. The command `block MS` blocks the
 * main loop for that long.
 */
const settings = JSON.parse(process.argv[2] as string) as {
  address: DatabaseAddress;
  effects: string;
  name: string;
  leaseSeconds: number;
  heartbeat: string;
};

const effect = (line: string) => appendFileSync(settings.effects, `${line} ${settings.name}\n`);
let finish = () => {};
const finished = new Promise<"finished">((resolve) => {
  finish = () => resolve("finished");
});
const executor = testExecutor(async (job, _script, print, stopped) => {
  effect(`begin ${job.attempt}`);
  print("working");
  const how = await Promise.race([finished, stopped.then(() => "stopped")]);
  effect(`${how} ${job.attempt}`);
  return {};
});
const { address, leaseSeconds } = settings;
const log = createLog("error");
const program = pathToFileURL(settings.heartbeat);
const startHeartbeat = createHeartbeats({ program, address, leaseSeconds, log });
const node = engineNode(address, { executor, slots: 6, leaseSeconds, startHeartbeat, graceMs: 100 });
await node.start();
createInterface(process.stdin).on("line", (line) => {
  const [command, ms] = line.split(" ");
  if (command === "finish") finish();
  if (command !== "block") return;
  effect("blocked");
  for (const end = performance.now() + Number(ms); performance.now() < end; );
  effect("unblocked");
});
process.once("SIGTERM", () => void node.stop().then(() => process.exit(0)));
process.stdout.write("ready\n");
