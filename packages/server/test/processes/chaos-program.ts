import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ArchiveStore } from "../../src/archives/archive-store.ts";
import { FolderStore } from "../../src/archives/folder-store.ts";
import { createLog } from "../../src/base/process/log.ts";
import type { JobOutcome } from "../../src/engine/executor.ts";
import { openFolderPlace } from "../../src/engine/folder-workspaces.ts";
import { EventDispatcher } from "../../src/engine/outbound/event-dispatcher.ts";
import { pairChannels } from "../../src/engine/outbound/target-readers.ts";
import { createDeliveryService, createDispatchService } from "../../src/services/engine-services.ts";
import { createSweepService } from "../../src/services/housekeeping-service.ts";
import type { DatabaseAddress } from "../../src/store/database/database-address.ts";
import { testSenders } from "../fakes/test-senders.ts";
import { neglectLogs } from "../kit/faults/chaos-readers.ts";
import { engineNode, nodeKeyring } from "../kit/run/engine-node.ts";
import { type Play, testExecutor } from "../kit/worker/test-executor.ts";

/**
 * One process of the service, to be killed and stopped: engine, worker, dispatcher and deliverer, with an executor whose jobs write a line
 * to a file when they start and when they end, and with readers of logs that read nothing. While a file `full` exists in its workspace
 * folder, its disk counts as full. Prints `ready` when it works; ends on SIGTERM.
 */
const settings = JSON.parse(process.argv[2] as string) as {
  address: DatabaseAddress;
  effects: string;
  leaseSeconds: number;
  /** Its folder of workspaces. */
  workspaces: string;
  /** Folder of the store of workspaces. */
  store?: string;
};
/** Tasks that start when all of these have left a file in the workspace that they share. */
const firstTasks = Array.from({ length: 8 }, (_, index) => `a${index}`);

const isFull = () => existsSync(join(settings.workspaces, "full"));
const effect = (line: string) => appendFileSync(settings.effects, `${line}\n`);
const executor = testExecutor(play, { isAvailable: () => !isFull() });
async function play(...[job, , print, stopped]: Parameters<Play>): Promise<Partial<JobOutcome>> {
  if (isFull()) return { status: "lost", reason: "MachineFault", message: "no space left on device", hasBegun: false };
  effect(`begin ${job.taskRunId} ${job.attempt}`);
  for (const { source } of job.workspaces) {
    mkdirSync(source, { recursive: true });
    const isFirst = firstTasks.includes(job.name);
    if (isFirst) writeFileSync(join(source, job.name), "");
    const missing = isFirst ? [] : firstTasks.filter((name) => !existsSync(join(source, name)));
    if (missing.length > 0) return { status: "failed", reason: "ExitCode", message: `not in the workspace: ${missing}` };
  }
  print("working");
  await Promise.race([pause(5 + Math.random() * 150), stopped]);
  effect(`end ${job.taskRunId} ${job.attempt}`);
  return {};
}
const { workspaces: workspacesDir, leaseSeconds } = settings;
const store = settings.store === undefined ? {} : { store: new ArchiveStore(new FolderStore(settings.store)) };
const place = await openFolderPlace(workspacesDir);
const node = engineNode(settings.address, { executor, slots: 6, leaseSeconds, graceMs: 100, workspacesDir, place, ...store });
const sweep = createSweepService(node.sql, node.context.settings, node.bus, createLog("silent"));
const log = createLog("silent");
const dispatcher = new EventDispatcher({ sql: node.sql, context: node.context, bus: node.bus, log, reactions: [] });
const channels = pairChannels(testSenders(node.sql, node.context.publicUrl, ["127.0.0.1"]));
const delivery = { sql: node.sql, keyring: nodeKeyring, channels, publicUrl: node.context.publicUrl, log };
const services = [sweep, createDispatchService(dispatcher, node.bus, log), createDeliveryService(delivery, node.bus)];
await node.start();
for (const service of services) await service.start();
const endReaders = neglectLogs(node);
process.once("SIGTERM", async () => {
  endReaders();
  for (const service of services) await service.stop();
  await node.stop();
});
process.stdout.write("ready\n");
