import type { FiringOutcome } from "@millrace/contract/schedule.ts";
import type { Queryable } from "./database.ts";

/** The record of the times of schedules, and the runs that came of them. */

export interface NewFiring {
  scheduledFor: Date;
  outcome: FiringOutcome;
  /** Times that it stands for; more than 1 only when they were missed. */
  count: number;
  /** Set exactly when a run was submitted. */
  runId: string | null;
  message: string | null;
}

export interface FiringRow extends NewFiring {
  firedAt: Date;
}

/** Runs of the schedule that are not over, its automatic retries included (index run_of_schedule). */
export async function countOpenRunsOfSchedule(db: Queryable, teamId: string, initiatedBy: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from run
    where team_id = ${teamId} and initiated_by = ${initiatedBy} and trigger = 'schedule' and phase in ('pending', 'queued', 'running')`;
  return row?.count ?? 0;
}

/** Cancels them, all but one, as soon as the engine looks. */
export async function signalOpenRunsOfSchedule(
  db: Queryable,
  teamId: string,
  initiatedBy: string,
  { but, message }: { but: string; message: string },
): Promise<void> {
  await db`
    insert into run_signal (team_id, run_id, kind, data)
    select r.team_id, r.id, 'cancel', ${JSON.stringify({ message })}::json from run r
    where r.team_id = ${teamId} and r.initiated_by = ${initiatedBy} and r.trigger = 'schedule' and r.phase in ('pending', 'queued', 'running') and r.id <> ${but}`;
}

/** One page, newest first. */
export async function listFirings(
  db: Queryable,
  teamId: string,
  scheduleId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: FiringRow[]; total: number }> {
  const rows = await db<FiringRow[]>`
    select scheduled_for as "scheduledFor", fired_at as "firedAt", outcome, count, run_id as "runId", message from schedule_firing
    where team_id = ${teamId} and schedule_id = ${scheduleId}
    order by scheduled_for desc limit ${page.limit} offset ${page.offset}`;
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from schedule_firing where team_id = ${teamId} and schedule_id = ${scheduleId}`;
  return { rows, total: count?.total ?? 0 };
}
