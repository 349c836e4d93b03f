import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { findReminderPause, remindOfActions } from "../store/action/due-reminders.ts";
import type { Database } from "../store/database/database.ts";

const batchSize = 100;
/** Longest pause between two looks: the next action may be reminded of within a minute. */
const idleMs = 20_000;
const leastPauseMs = 100;

/** Reminds of actions that wait for people. Any number of processes may do it. */
export function createReminderService(sql: Database, log: Log): Service {
  return new Loop({
    name: "reminders",
    intervalMs: idleMs,
    log,
    round: async () => {
      if ((await remindOfActions(sql, batchSize)) === batchSize) return "more";
      const leftMs = await findReminderPause(sql);
      return Math.min(Math.max(leftMs ?? idleMs, leastPauseMs), idleMs);
    },
  });
}
