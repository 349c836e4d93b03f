import type { FiringOutcome } from "@millrace/contract/schedule.ts";
import type { Queryable } from "../database/database.ts";

/** The record of the times of schedules, and the runs that they started. */

export interface NewFiring {
  scheduledFor: Date;
  outcome: FiringOutcome;
  /** Number of times that it represents; more than 1 only if they were missed. */
  count: number;
  /** Set exactly when a run was submitted. */
  runId: string | null;
  message: string | null;
}

export interface FiringRow extends NewFiring {
  firedAt: Date;
}

/** Who started the runs of a schedule. */
interface Initiator {
  teamId: string;
  initiatedBy: string;
}

/** The number of open runs of each of these schedules, including automatic retries (index run_of_schedule). */
export async function countOpenRunsOfSchedules(db: Queryable, schedules: readonly Initiator[]): Promise<number[]> {
  if (schedules.length === 0) return [];
  const rows = await db<{ count: number }[]>`
    select (select count(*)::int from run r
            where r.team_id = s.team_id and r.initiated_by = s.initiated_by and r.trigger = 'schedule'
              and r.phase in ('pending', 'queued', 'running')) as count
    from unnest(${schedules.map(({ teamId }) => teamId)}::uuid[], ${schedules.map(({ initiatedBy }) => initiatedBy)}::text[])
      with ordinality as s (team_id, initiated_by, position) order by s.position`;
  return rows.map(({ count }) => count);
}

/** Cancels them, except one, as soon as the engine polls. Runs of which only the handlers are left finish these. */
export async function signalOpenRunsOfSchedule(
  db: Queryable,
  teamId: string,
  initiatedBy: string,
  { but, message }: { but: string; message: string },
): Promise<void> {
  await db`
    insert into run_signal (team_id, run_id, kind, data)
    select r.team_id, r.id, 'cancel', ${JSON.stringify({ message, sparesHandlers: true })}::json from run r
    where r.team_id = ${teamId} and r.initiated_by = ${initiatedBy} and r.trigger = 'schedule' and r.phase in ('pending', 'queued', 'running') and r.id <> ${but}`;
}

const firingColumns = (db: Queryable) => db`
  scheduled_for as "scheduledFor", fired_at as "firedAt", outcome, count, run_id as "runId", message`;

/** Range of scheduled times, both ends included. */
export interface TimeRange {
  from?: Date;
  to?: Date;
}

const firingsOf = (db: Queryable, teamId: string, scheduleId: string, { from, to }: TimeRange) => db`
  from schedule_firing where team_id = ${teamId} and schedule_id = ${scheduleId}
  ${from ? db`and scheduled_for >= ${from}` : db``} ${to ? db`and scheduled_for <= ${to}` : db``}`;

/** One page, newest first. */
export async function listFirings(
  db: Queryable,
  teamId: string,
  scheduleId: string,
  page: { limit: number; offset: number },
  range: TimeRange = {},
): Promise<{ rows: FiringRow[]; total: number }> {
  const rows = await db<FiringRow[]>`
    select ${firingColumns(db)} ${firingsOf(db, teamId, scheduleId, range)}
    order by scheduled_for desc limit ${page.limit} offset ${page.offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total ${firingsOf(db, teamId, scheduleId, range)}`;
  return { rows, total: count?.total ?? 0 };
}

/** What is recorded of these times; the schedule is locked by the transaction. */
export async function findFirings(db: Queryable, teamId: string, scheduleId: string, times: readonly Date[]): Promise<FiringRow[]> {
  return db<FiringRow[]>`
    select ${firingColumns(db)} from schedule_firing
    where team_id = ${teamId} and schedule_id = ${scheduleId} and scheduled_for = any(${times.map((time) => time.toISOString())}::timestamptz[])`;
}

/**
 * Records times that got a run afterwards, replacing the reason why they had none. A time with a run is never changed.
 *
 * @returns how many were recorded
 */
export async function recordLateFirings(
  db: Queryable,
  teamId: string,
  scheduleId: string,
  firings: readonly { scheduledFor: Date; runId: string; message: string }[],
): Promise<number> {
  const { count } = await db`
    insert into schedule_firing (team_id, schedule_id, scheduled_for, outcome, run_id, message)
    select ${teamId}::uuid, ${scheduleId}::uuid, f."scheduledFor", 'submitted', f."runId", f.message
    from json_to_recordset(${JSON.stringify(firings)}::json) as f("scheduledFor" timestamptz, "runId" uuid, message text)
    on conflict (team_id, schedule_id, scheduled_for) do update
      set outcome = excluded.outcome, run_id = excluded.run_id, message = excluded.message, count = 1, fired_at = db_now()
      where schedule_firing.outcome <> 'submitted'`;
  return count;
}
