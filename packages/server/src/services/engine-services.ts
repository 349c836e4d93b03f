import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { channels, placeOf } from "../domain/run/report-changes.ts";
import { Deliverer, type DelivererParts } from "../engine/outbound/deliverer.ts";
import type { EventDispatcher } from "../engine/outbound/event-dispatcher.ts";
import type { RunDriver } from "../engine/run-driver.ts";
import type { ScheduleDriver } from "../engine/schedule-driver.ts";
import type { WorkerWatcher } from "../engine/worker-watcher.ts";
import { escalateActions } from "../store/action/due-escalations.ts";
import { findActionPause, remindOfActions } from "../store/action/due-reminders.ts";
import type { Database } from "../store/database/database.ts";

/** The engine's loop: polls when it is woken, when something is known to become due, and at least every five seconds. */
export function createEngineService(driver: RunDriver, bus: EventBus, log: Log): Service {
  const loop = new Loop({
    name: "engine",
    intervalMs: 5000,
    log,
    round: async () => (await driver.tick()) || "more",
  });
  bus.onWake(channels.engine, () => loop.wake());
  return loop;
}

/** After a failed poll. */
const watchAgainMs = 900;

/** A loop of its own: the engine may have work for longer than a check of the workers may wait. */
export function createWatchService(watcher: WorkerWatcher, log: Log): Service {
  return new Loop({ name: "worker watch", intervalMs: watchAgainMs, log, round: () => watcher.tick() });
}

/** The loop of the schedules: polls when the next one is due, when one was written, and at least every quarter of a minute. */
export function createScheduleService(driver: ScheduleDriver, bus: EventBus, log: Log): Service {
  const loop = new Loop({ name: "schedules", intervalMs: 15_000, log, round: () => driver.tick() });
  bus.onWake(channels.schedules, () => loop.wake());
  return loop;
}

const batchSize = 100;
/** The longest pause between two polls, because the next reminder may be due within a minute. */
const idleMs = 20_000;
const leastPauseMs = 100;

/** Sends reminders of open actions, and escalates them. Any number of processes may do it. An idle one asks only what is due next. */
export function createReminderService(sql: Database, log: Log): Service {
  return new Loop({
    name: "reminders",
    intervalMs: idleMs,
    log,
    round: async () => {
      const leftMs = (await findActionPause(sql)) ?? idleMs;
      if (leftMs > 0) return Math.min(Math.max(leftMs, leastPauseMs), idleMs);
      const most = Math.max(await escalateActions(sql, batchSize), await remindOfActions(sql, batchSize));
      return most === batchSize ? "more" : leastPauseMs;
    },
  });
}

/** How long attempts may take to finish when the process stops. */
const stopGraceMs = 2000;

/** Polls for new events ten times a second while there are subscribers, otherwise every quarter of a minute and when one appears. */
export function createDispatchService(dispatcher: EventDispatcher, bus: EventBus, log: Log): Service {
  const loop = new Loop({ name: "events", intervalMs: 5000, log, round: () => dispatcher.tick() });
  bus.onWake(channels.events, () => loop.wake());
  return loop;
}

/** Notifies pages that show deliveries of an outcome. No page shows those of reactions. */
function tellRecords(bus: EventBus): DelivererParts["onRecord"] {
  return ({ subscriptionId, subscriptionTeamId }, isPaused) => {
    if (subscriptionId === null) return;
    const place = placeOf(subscriptionTeamId);
    bus.wakePaced(channels.delivered, [place]);
    if (isPaused) bus.wake(channels.teams, `${place} subscription`);
  };
}

/** Sends queued deliveries: when one is due, when one was queued, and when an attempt has freed capacity. A tick waits for its attempts. */
export function createDeliveryService(parts: Omit<DelivererParts, "onRoom" | "onRecord">, bus: EventBus): Service {
  const deliverer = new Deliverer({ ...parts, onRoom: () => loop.wake(), onRecord: tellRecords(bus) });
  const loop = new Loop({ name: "deliveries", intervalMs: 5000, log: parts.log, round: () => deliverer.tick() });
  bus.onWake(channels.deliveries, () => loop.wake());
  return {
    name: loop.name,
    start: (signal) => loop.start(signal),
    async stop() {
      await loop.stop();
      await deliverer.stop(stopGraceMs);
      for (const { close } of parts.channels) await close?.();
    },
    async tick() {
      await loop.tick();
      await deliverer.settle();
    },
  };
}
