import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { channels } from "../domain/run/wake-for-changes.ts";
import type { RunDriver } from "../engine/run-driver.ts";
import { lookMs, type WorkerWatcher } from "../engine/worker-watcher.ts";

/** The engine's loop: looks when it is woken, when something is known to become due, and every two seconds at least. */
export function createEngineService(driver: RunDriver, bus: EventBus, log: Log): Service {
  const loop = new Loop({
    name: "engine",
    intervalMs: 2000,
    log,
    round: async () => (await driver.tick()) || "more",
  });
  bus.onWake(channels.engine, () => loop.wake());
  return loop;
}

/** A loop of its own: the engine may have work for longer than a look at the workers may wait. */
export function createWatchService(watcher: WorkerWatcher, log: Log): Service {
  return new Loop({ name: "worker watch", intervalMs: lookMs, log, round: () => watcher.tick() });
}
