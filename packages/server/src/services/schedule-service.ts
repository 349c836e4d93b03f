import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { channels } from "../domain/run/wake-for-changes.ts";
import type { ScheduleDriver } from "../engine/schedule-driver.ts";

/** The clock of the schedules: looks when the next one is due, when one was written, and every five seconds at least. */
export function createScheduleService(driver: ScheduleDriver, bus: EventBus, log: Log): Service {
  const loop = new Loop({ name: "schedules", intervalMs: 5000, log, round: () => driver.tick() });
  bus.onWake(channels.schedules, () => loop.wake());
  return loop;
}
