import { missedTimes } from "../../core/alert/missed-times.ts";
import { type MissedSchedule, recordMissedTimes, takeOverdueSchedules } from "../../store/alert/missed-schedules.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import type { DueSchedule, FiredSchedule } from "../../store/schedule/due-schedules.ts";
import type { LiveSettings } from "../settings/live-settings.ts";

/**
 * Creates alerts about the scheduled times that just got their outcome, in the transaction that records it. Costs nothing if each got its
 * run in time.
 */
export async function noteMissedTimes(
  tx: Queryable,
  { settings }: { settings: LiveSettings },
  dues: readonly DueSchedule[],
  fired: readonly FiredSchedule[],
): Promise<string[]> {
  const { scheduleMinutes } = (await settings.load(tx)).alerts;
  const missed = fired.flatMap(({ teamId, id, firings }): MissedSchedule[] => {
    const due = dues.find((one) => one.id === id);
    return due === undefined ? [] : missedTimes(firings, { ...due, scheduleMinutes }).map((one) => ({ teamId, id, missed: one }));
  });
  return missed.length === 0 ? [] : (await recordMissedTimes(tx, missed)).map(({ status }) => status);
}

const batchSize = 100;

/** Creates alerts about times that passed without any outcome: the schedules fall behind. @returns what was found, each time once */
export async function findOverdueSchedules(tx: Transaction, minutes: number): Promise<MissedSchedule[]> {
  const message = `Nothing has started its run for ${minutes} min: the schedules are behind, see the log of the service`;
  const found = (await takeOverdueSchedules(tx, { minutes, limit: batchSize })).map(
    ({ teamId, id, nextAt }): MissedSchedule => ({
      teamId,
      id,
      missed: { status: "schedule_missed", first: nextAt, count: 1, message },
    }),
  );
  if (found.length > 0) await recordMissedTimes(tx, found);
  return found;
}
