import type { Queryable } from "../database/database.ts";
import type { NewFiring } from "./schedule-firings.ts";
import { type ScheduleProgress, type ScheduleRow, storedScheduleColumns } from "./schedules.ts";

/** What the engine asks about the schedules of all teams. It acts on one of them at a time, and on what its own team has. */

export interface DueSchedule extends Omit<ScheduleRow, "secretNames" | "firedAhead"> {
  teamId: string;
  /** Times from the next one on that are recorded already: the clock went back. */
  recorded: Date[];
}

/**
 * Takes the schedules that have been due the longest, and holds them until the transaction ends (index schedule_due). It skips schedules
 * that another process holds to fire or change them. So of many processes one fires a schedule, and its row moves on in the same
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

/** What came of the times of a schedule, and where it stands after them. */
export interface FiredSchedule {
  teamId: string;
  id: string;
  firings: readonly NewFiring[];
  progress: ScheduleProgress;
}

/**
 * Records the times of schedules that the transaction holds and moves the schedules on: one statement, because the two of each schedule
 * were a third of what a firing costs. The key of `schedule_firing` refuses a time that is recorded already: then the transaction, and the
 * runs in it, come to nothing.
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
  /** When the next one is due, or was; null: none will be. */
  nextFireAt: Date | null;
  /** When a schedule last fired, by the same clock; null: none has. */
  lastFiredAt: Date | null;
}

/** A look at the beginning of index schedule_due, and at the end of schedule_firing_age. */
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
 * Forgets single runs that a task has planned and that are over so many days: nobody would ever delete these schedules, and a workflow
 * that plans its next run leaves one each time. Those that people made stay.
 *
 * @param originLabel the label that tells them apart
 */
export async function deleteOldPlannedRuns(db: Queryable, originLabel: string, keptDays: number): Promise<void> {
  await db`
    delete from schedule
    where type = 'runOnce' and status in ('completed', 'error') and labels ? ${originLabel}
      and date_at < (select db_now()) - make_interval(days => ${keptDays})`;
}

/** Forgets what came of times longer ago than the days given, some thousand at once. @returns true when there may be more */
export async function deleteOldFirings(db: Queryable, keptDays: number): Promise<boolean> {
  const batch = 5000;
  const { count } = await db`
    delete from schedule_firing where (team_id, schedule_id, scheduled_for) in (
      select team_id, schedule_id, scheduled_for from schedule_firing
      where fired_at < (select db_now()) - make_interval(days => ${keptDays}) order by fired_at limit ${batch})`;
  return count === batch;
}
