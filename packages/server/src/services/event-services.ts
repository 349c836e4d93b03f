import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { channels, placeOf } from "../domain/run/wake-for-changes.ts";
import { Deliverer, type DelivererParts } from "../engine/deliverer.ts";
import type { EventDispatcher } from "../engine/event-dispatcher.ts";

/** How long attempts may come to their end when the process stops. */
const stopGraceMs = 2000;

/** Looks for new events ten times a second while someone listens, else every quarter of a minute and when someone begins to. */
export function createDispatchService(dispatcher: EventDispatcher, bus: EventBus, log: Log): Service {
  const loop = new Loop({ name: "events", intervalMs: 5000, log, round: () => dispatcher.tick() });
  bus.onWake(channels.events, () => loop.wake());
  return loop;
}

/** Tells who looks at deliveries that something came of one. Those of reactions nobody looks at. */
function tellRecords(bus: EventBus): DelivererParts["onRecord"] {
  return ({ subscriptionId, subscriptionTeamId }, isPaused) => {
    if (subscriptionId === null) return;
    const place = placeOf(subscriptionTeamId);
    bus.wakePaced(channels.delivered, [place]);
    if (isPaused) bus.wake(channels.teams, `${place} subscription`);
  };
}

/** Sends what is queued: when it is due, when something was queued, and when an attempt has made room. A tick waits for its attempts. */
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
