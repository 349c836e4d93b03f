import type { Queryable } from "../database/database.ts";
import type { NewFiring } from "./schedule-firings.ts";
import { type ScheduleProgress, type ScheduleRow, storedScheduleColumns } from "./schedules.ts";

/** The engine's statements about the schedules of all teams. The engine processes one at a time, with the data of its own team. */

export interface DueSchedule extends Omit<ScheduleRow, "secretNames" | "firedAhead"> {
  teamId: string;
  /** Times from the next one on that are recorded already, because the clock went back. */
  recorded: Date[];
}

/**
 * Claims the schedules that have been due longest, and locks them until the transaction ends (index schedule_due). It skips schedules that
 * another process has locked to fire or change them. So only one of many processes fires a schedule, and its row moves on in the same
 * transaction.
 */
export async function claimDueSchedules(db: Queryable, limit: number): Promise<DueSchedule[]> {
  return db<DueSchedule[]>`
    select ${storedScheduleColumns(db)}, s.team_id as "teamId", db_now() as now,
           array(select f.scheduled_for from schedule_firing f
                 where f.team_id = s.team_id and f.schedule_id = s.id and f.scheduled_for >= s.next_at) as recorded
    from schedule s join workflow w on w.team_id = s.team_id and w.id = s.workflow_id
    where s.fire_at <= (select db_now()) order by s.fire_at limit ${limit} for update of s skip locked`;
}

/** The outcomes of a schedule's times, and its state after them. */
export interface FiredSchedule {
  teamId: string;
  id: string;
  firings: readonly NewFiring[];
  progress: ScheduleProgress;
}

/**
 * Records the times of the locked schedules and moves the schedules on: one statement, because the two per schedule were a third of the
 * cost of a firing. The key of `schedule_firing` refuses a time that is recorded already: then the transaction is rolled back, with the
 * runs in it.
 */
export async function recordFired(db: Queryable, fired: readonly FiredSchedule[]): Promise<void> {
  const moves = fired.map(({ teamId, id, progress }) => ({ teamId, id, ...progress }));
  const firings = fired.flatMap(({ teamId, id, firings }) => firings.map((firing) => ({ teamId, scheduleId: id, ...firing })));
  await db`
    with moved as (
      update schedule s set status = m.status, status_message = m."statusMessage", next_at = m."nextAt", fire_at = m."fireAt",
        last_at = m."lastAt", last_run_id = m."lastRunId"
      from json_to_recordset(${JSON.stringify(moves)}::json) as m("teamId" uuid, id uuid, status text, "statusMessage" text,
        "nextAt" timestamptz, "fireAt" timestamptz, "lastAt" timestamptz, "lastRunId" uuid)
      where s.team_id = m."teamId" and s.id = m.id
    )
    insert into schedule_firing (team_id, schedule_id, scheduled_for, outcome, count, run_id, message)
    select f."teamId", f."scheduleId", f."scheduledFor", f.outcome, f.count, f."runId", f.message
    from json_to_recordset(${JSON.stringify(firings)}::json)
      as f("teamId" uuid, "scheduleId" uuid, "scheduledFor" timestamptz, outcome text, count int, "runId" uuid, message text)`;
}

export interface DueSchedules {
  now: Date;
  /** How many are due, at most the limit. */
  due: number;
  /** When the next one is or was due; null: none will be. */
  nextFireAt: Date | null;
  /** When a schedule last fired, by the same clock; null: none has. */
  lastFiredAt: Date | null;
}

/** Reads the beginning of index schedule_due, and the end of schedule_firing_age. */
export async function findDueSchedules(db: Queryable, limit: number): Promise<DueSchedules> {
  const [row] = await db<DueSchedules[]>`
    with clock as materialized (select db_now() as now)
    select clock.now, (select min(fire_at) from schedule where fire_at is not null) as "nextFireAt",
      (select max(fired_at) from schedule_firing) as "lastFiredAt",
      (select count(*)::int from (select 1 from schedule where fire_at <= (select now from clock) limit ${limit}) d) as due
    from clock`;
  if (!row) throw new Error("the statement about schedules returned no row");
  return row;
}

/**
 * Deletes one-time schedules that a task has created and that ended so many days ago: nobody would ever delete them, and a workflow that
 * schedules its next run leaves one each time. Those that people created stay.
 *
 * @param originLabel the label that distinguishes them
 */
export async function deleteOldPlannedRuns(db: Queryable, originLabel: string, keptDays: number): Promise<void> {
  await db`
    delete from schedule
    where type = 'runOnce' and status in ('completed', 'error') and labels ? ${originLabel}
      and date_at < (select db_now()) - make_interval(days => ${keptDays})`;
}

/** Deletes outcomes of times older than the given days, some thousand at once. @returns true if there may be more */
export async function deleteOldFirings(db: Queryable, keptDays: number): Promise<boolean> {
  const batch = 5000;
  const { count } = await db`
    delete from schedule_firing where (team_id, schedule_id, scheduled_for) in (
      select team_id, schedule_id, scheduled_for from schedule_firing
      where fired_at < (select db_now()) - make_interval(days => ${keptDays}) order by fired_at limit ${batch})`;
  return count === batch;
}
