import type { Queryable } from "../database/database.ts";

/** Reminders of actions, in all teams. Each action's row says when its reminder is due. */

/**
 * Sends reminders of open actions that are due, and moves each on to its next reminder; missed ones become a single reminder. The event is
 * recorded in the same statement (note_action_changes), so only one of many processes sends each reminder. Locked actions are left to the
 * next round, because they are being decided (index action_remind).
 *
 * @returns how many
 */
export async function remindOfActions(db: Queryable, limit: number): Promise<number> {
  const { count } = await db`
    with due as (
      select team_id, id, floor(extract(epoch from (select db_now()) - created_at) / (60 * reminder_minutes))::int as passed
      from action where status = 'submitted' and remind_at <= (select db_now())
      order by remind_at limit ${limit} for update skip locked
    )
    update action a
    set reminders_sent = due.passed, remind_at = next_reminder(a.created_at, a.reminder_minutes, due.passed, a.deadline_at)
    from due where a.team_id = due.team_id and a.id = due.id`;
  return count;
}

/** Milliseconds until the next reminder or escalation is due, 0 or less where one is; undefined if none will be. */
export async function findActionPause(db: Queryable): Promise<number | undefined> {
  const [row] = await db<{ leftMs: number | null }[]>`
    select extract(epoch from least(
      (select min(remind_at) from action where remind_at is not null and status = 'submitted'),
      (select min(escalate_at) from action where escalate_at is not null and status = 'submitted')) - (select db_now()))::float8 * 1000 as "leftMs"`;
  return row?.leftMs ?? undefined;
}
