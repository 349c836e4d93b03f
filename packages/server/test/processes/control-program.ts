import { appendFileSync } from "node:fs";
import { createLog } from "../../src/base/process/log.ts";
import { createRunBulkService } from "../../src/services/run-bulk-service.ts";
import type { DatabaseAddress } from "../../src/store/database/database-address.ts";
import { engineNode } from "../kit/run/engine-node.ts";
import { testExecutor } from "../kit/worker/test-executor.ts";

/**
 * One process of the service, to be killed: engine, worker and bulk actions. Its jobs write a line to a file when they start; those named
 * `check` fail. Prints `ready` when it works.
 */
const settings = JSON.parse(process.argv[2] as string) as { address: DatabaseAddress; effects: string; leaseSeconds: number };

const executor = testExecutor(async (job) => {
  appendFileSync(settings.effects, `${job.taskRunId} ${job.attempt}\n`);
  return job.name === "check" ? { status: "failed", reason: "ExitCode" } : {};
});
const { address, leaseSeconds } = settings;
const node = engineNode(address, { executor, slots: 6, leaseSeconds, graceMs: 100 });
const parts = { sql: node.sql, context: node.context, bus: node.bus, checkRights: async () => true };
await node.start();
await createRunBulkService(parts, createLog("silent")).start();
process.stdout.write("ready\n");
