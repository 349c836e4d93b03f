import { EventBus } from "../../../src/base/process/event-bus.ts";
import { createLog } from "../../../src/base/process/log.ts";
import type { Service } from "../../../src/base/process/service.ts";
import { Keyring } from "../../../src/base/secret/keyring.ts";
import { createRunContext } from "../../../src/domain/run/create-run-context.ts";
import type { RunContext } from "../../../src/domain/run/run-context.ts";
import { AttemptCompleter } from "../../../src/engine/attempt-finisher.ts";
import type { Executor } from "../../../src/engine/executor.ts";
import { ExecutorSet } from "../../../src/engine/executor-set.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { RunDriver } from "../../../src/engine/run-driver.ts";
import { WorkerWatcher } from "../../../src/engine/worker-watcher.ts";
import { WorkspaceArchiver } from "../../../src/engine/workspace-archiver.ts";
import type { WorkspaceStore } from "../../../src/engine/workspace-store.ts";
import { createEngineService, createWatchService } from "../../../src/services/engine-services.ts";
import type { StartHeartbeat } from "../../../src/services/heartbeat.ts";
import { WorkerService } from "../../../src/services/worker-service.ts";
import { createPool, type Database, type PoolOptions } from "../../../src/store/database/database.ts";
import type { DatabaseAddress } from "../../../src/store/database/database-address.ts";
import { NotifyBridge } from "../../../src/store/database/notify.ts";
import type { WorkerPlace } from "../../../src/store/worker/workers.ts";
import { engineTaskTypes } from "../../../src/tasks/registry.ts";

export interface EngineNodeOptions {
  executor: Executor | Executor[];
  slots?: number;
  /** Of `workspacesDir`. */
  place?: WorkerPlace;
  /** Without a place, all nodes share an empty one for workspaces. */
  workspacesDir?: string;
  /** Where its workspaces are stored. */
  store?: WorkspaceStore;
  restoreMs?: number;
  leaseSeconds?: number;
  graceMs?: number;
  startHeartbeat?: StartHeartbeat;
  pool?: PoolOptions;
  /** Learns of what other nodes do only by polling. */
  ignoresNotifications?: boolean;
}

/** What one process of the service has for its runs: its own pool, engine and worker. Several nodes can share a database. */
export interface EngineNode {
  sql: Database;
  bus: EventBus;
  context: RunContext;
  driver: RunDriver;
  completer: AttemptCompleter;
  worker: WorkerService;
  engine: Service;
  archiver: WorkspaceArchiver | undefined;
  start(): Promise<void>;
  /** Stops without waiting for responses of a database that may no longer exist. */
  stop(): Promise<void>;
}

/** Shared by every node, so that all can read what one of them has sealed. */
export const nodeKeyring = new Keyring([new Uint8Array(32)]);

export function engineNode(address: DatabaseAddress, options: EngineNodeOptions): EngineNode {
  const executors = new ExecutorSet([options.executor].flat());
  const log = createLog((process.env.ENGINE_NODE_LOG as "silent") ?? "silent");
  const sql = createPool(address, { maxConnections: 8, steersPlanner: true, ...options.pool });
  const bus = new EventBus();
  const context = createRunContext({ keyring: nodeKeyring, publicUrl: "http://127.0.0.1:8080", types: engineTaskTypes });
  const driver = new RunDriver({ sql, context, bus, log });
  const completer = new AttemptCompleter({ sql, context, bus, driver });
  const engine = createEngineService(driver, bus, log);
  const watch = createWatchService(new WorkerWatcher({ sql, driver, log }), log);
  const place = options.place ?? { id: "test", host: "test", path: "/nonexistent" };
  const workspacesDir = options.workspacesDir ?? "/nonexistent";
  const { store, restoreMs } = options;
  const archiver = store && new WorkspaceArchiver({ sql, store, workspacesDir, place: place.id, log, restoreMs });
  const settings = {
    executors,
    place: place.id,
    workspacesDir,
    hasStore: archiver !== undefined,
    limits: { memoryBytes: 2 ** 28, processes: 64, outputBytes: 2 ** 20, resultBytes: 2 ** 20 },
  };
  const worker = new WorkerService({
    sql,
    bus,
    log,
    executors,
    roles: ["worker"],
    slots: options.slots ?? 8,
    labels: [],
    folder: { place, archiver },
    leaseSeconds: options.leaseSeconds ?? 30,
    startHeartbeat: options.startHeartbeat,
    graceMs: options.graceMs ?? 200,
    prepare: (claims) => prepareJobs(sql, context, settings, claims),
    complete: (work, next) => completer.complete(work, next),
    claimed: (claims, workerId) => {
      for (const claim of claims) context.states.claimed(claim, workerId);
    },
  });
  let bridge: NotifyBridge | undefined;
  return {
    sql,
    bus,
    context,
    driver,
    completer,
    worker,
    engine,
    archiver,
    async start() {
      if (!options.ignoresNotifications) bridge = await NotifyBridge.open(bus, address, log);
      await engine.start();
      await watch.start();
      await worker.start();
    },
    async stop() {
      await worker.stop();
      await engine.stop();
      await watch.stop();
      await bridge?.close();
      await sql.end({ timeout: 1 });
    },
  };
}
