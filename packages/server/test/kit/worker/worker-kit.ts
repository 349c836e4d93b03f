import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { isFinal } from "@millrace/contract/status.ts";
import { afterAll } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { decodeLines } from "../../../src/core/log/log-lines.ts";
import { createKnownRuns } from "../../../src/domain/run/attempt-scope.ts";
import type { RunContext } from "../../../src/domain/run/run-context.ts";
import { AttemptCompleter } from "../../../src/engine/attempt-finisher.ts";
import { ExecutorSet } from "../../../src/engine/executor-set.ts";
import { openFolderPlace } from "../../../src/engine/folder-workspaces.ts";
import { type GiveCodehostToken, prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { createProcessExecutor } from "../../../src/executors/process/process-executor.ts";
import { createEngineService } from "../../../src/services/engine-services.ts";
import { WorkerService } from "../../../src/services/worker-service.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { listLogChunks } from "../../../src/store/log/log-chunks.ts";
import type { RunRow } from "../../../src/store/run/runs.ts";
import { type EngineKit, engineKit } from "../engine-kit.ts";

export interface WorkerKit extends EngineKit {
  /** Resolves when the run has finished. */
  ended(teamId: string, runId: string): Promise<RunRow>;
  /** Resolves when the condition holds; checks again whenever a run changes. */
  until<T>(look: () => Promise<T | undefined>): Promise<T>;
  log(teamId: string, taskRunId: string): Promise<string[]>;
}

/**
 * An engine and a worker with the real process executor, which run by themselves until the test file has finished.
 * @param makeToken provides tasks with their tokens of the codehost
 */
export async function workerKit(sql: Database, makeToken?: (context: RunContext) => GiveCodehostToken): Promise<WorkerKit> {
  const kit = engineKit(sql);
  const folder = await mkdtemp(join(tmpdir(), "millrace-worker-"));
  // Like the data folder: the user of a sandbox has to reach its part.
  await chmod(folder, 0o711);
  const log = createLog("silent");
  const executor = await createProcessExecutor({
    scratchDir: join(folder, "scratch"),
    allowUnsandboxed: true,
    allowSharedNetwork: true,
    graceMs: 200,
    log,
  });
  const completer = new AttemptCompleter({ sql, context: kit.context, bus: kit.bus, driver: kit.driver });
  const megabyte = 1024 * 1024;
  const executors = new ExecutorSet([executor]);
  const place = await openFolderPlace(join(folder, "workspaces"));
  const settings = {
    executors,
    workspacesDir: join(folder, "workspaces"),
    place: place.id,
    recent: createKnownRuns(),
    limits: { memoryBytes: 512 * megabyte, processes: 64, outputBytes: megabyte, resultBytes: megabyte },
    ...(makeToken && { giveCodehostToken: makeToken(kit.context) }),
  };
  const engine = createEngineService(kit.driver, kit.bus, log);
  const worker = new WorkerService({
    sql,
    bus: kit.bus,
    log,
    executors,
    roles: ["worker"],
    slots: 4,
    labels: [],
    folder: { place },
    leaseSeconds: 30,
    graceMs: 200,
    prepare: (claims) => prepareJobs(sql, kit.context, settings, claims),
    complete: (work, next) => completer.complete(work, next),
    claimed: (claims, workerId) => {
      for (const claim of claims) kit.context.states.claimed(claim, workerId);
    },
  });
  await engine.start();
  await worker.start();
  afterAll(async () => {
    await worker.stop();
    await engine.stop();
    await executor.close();
    await rm(folder, { recursive: true, force: true });
  });
  const until = <T>(look: () => Promise<T | undefined>) => untilChanged(kit, look);
  return {
    ...kit,
    until,
    ended: (teamId, runId) =>
      until(async () => {
        const run = await kit.run(teamId, runId);
        return isFinal(run.status) ? run : undefined;
      }),
    async log(teamId, taskRunId) {
      const chunks = await listLogChunks(sql, teamId, taskRunId, { attempt: 0, seq: -1 }, { chunks: 1000, bytes: Number.MAX_SAFE_INTEGER });
      return chunks.flatMap(({ data }) => decodeLines(inflateRawSync(data).toString())).map((line) => line.text);
    },
  };
}

async function untilChanged<T>(kit: EngineKit, look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    let wake = () => {};
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const unsubscribe = kit.bus.onWake("runs", wake);
    const found = await look();
    if (found !== undefined) {
      unsubscribe();
      return found;
    }
    await changed;
    unsubscribe();
  }
}
