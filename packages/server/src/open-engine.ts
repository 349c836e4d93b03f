import type { PlatformFetch } from "./base/network/platform-fetch.ts";
import type { Log } from "./base/process/log.ts";
import type { Service } from "./base/process/service.ts";
import type { CodehostReportParts } from "./channels/codehost-sender.ts";
import { openSenders } from "./channels/registry.ts";
import type { Config } from "./config/read-config.ts";
import type { LogStore } from "./domain/log/log-store.ts";
import type { CheckRights } from "./domain/run/lists/bulk-runs.ts";
import type { RunContext } from "./domain/run/run-context.ts";
import { EventDispatcher } from "./engine/outbound/event-dispatcher.ts";
import { reactions } from "./engine/outbound/reactions.ts";
import { pairChannels } from "./engine/outbound/target-readers.ts";
import type { RunDriver } from "./engine/run-driver.ts";
import { ScheduleDriver } from "./engine/schedule-driver.ts";
import { WorkerWatcher } from "./engine/worker-watcher.ts";
import type { CodehostClients } from "./integrations/codehost/codehost-client.ts";
import type { Store } from "./open-store.ts";
import { createAlertService } from "./services/alert-service.ts";
import {
  createDeliveryService,
  createDispatchService,
  createEngineService,
  createReminderService,
  createScheduleService,
  createWatchService,
} from "./services/engine-services.ts";
import { createHistoryService } from "./services/history-service.ts";
import { createHousekeepingService, createSweepService } from "./services/housekeeping-service.ts";
import { createLogMoveService } from "./services/log-move-service.ts";
import { createRunBulkService } from "./services/run-bulk-service.ts";
import { createRunSearchService } from "./services/run-search-service.ts";
import { saveCheckRunId } from "./store/integration/codehost-reports.ts";

/** Clients of the chat and the code host, and the store of old logs. */
export interface Platforms {
  codehost: CodehostClients;
  platformFetch: PlatformFetch;
  logStore?: LogStore;
}

/** What the engine needs from parts that it doesn't import. */
interface EngineParts extends Platforms {
  checkRights: CheckRights;
}

/** The services of the role `engine`; none without it. */
export function openEngine(config: Config, log: Log, store: Store, runs: RunContext, driver: RunDriver, platforms: EngineParts): Service[] {
  const { logStore, checkRights } = platforms;
  if (!config.roles.includes("engine")) return [];
  return [
    createEngineService(driver, store.wakes, log),
    createWatchService(new WorkerWatcher({ sql: store.sql, driver, log }), log),
    createScheduleService(new ScheduleDriver({ sql: store.sql, context: runs, bus: store.wakes, log }), store.wakes, log),
    createDispatchService(new EventDispatcher({ sql: store.sql, context: runs, bus: store.wakes, log, reactions }), store.wakes, log),
    makeDeliverer(config, log, store, runs, platforms),
    createSweepService(store.sql, runs.settings, store.wakes, log),
    createReminderService(store.sql, log),
    createAlertService(store.sql, runs.settings, log),
    createHousekeepingService(store.sql, log),
    createRunSearchService(store.sql, store.wakes, log),
    createRunBulkService({ sql: store.sql, context: runs, bus: store.wakes, checkRights }, log),
    createHistoryService(store.sql, runs.settings, log),
    ...(logStore === undefined ? [] : [createLogMoveService({ sql: store.sql, store: logStore, hours: config.logStoreHours, log })]),
  ];
}

function makeDeliverer(
  config: Config,
  log: Log,
  { sql, keyring, wakes }: Store,
  { publicUrl, tracing }: RunContext,
  { codehost: clients, platformFetch }: Platforms,
): Service {
  const rememberCheckRun: CodehostReportParts["rememberCheckRun"] = ({ teamId, runId }, id) => saveCheckRunId(sql, teamId, runId, id);
  const channels = pairChannels(
    openSenders({ outboundAllow: config.outboundAllow, platformFetch, publicUrl, codehost: { clients, rememberCheckRun } }),
  );
  return createDeliveryService({ sql, keyring, channels, publicUrl, tracing, log }, wakes);
}
