import type { Queryable } from "../database/database.ts";

/** Escalations of actions, in all teams: when nobody has decided in time, the people of another approver group may vote too. */

/**
 * Lets the people who are in the other group now vote on open actions for which it is time, as if a vote had been delegated to them: the
 * rules of voting know one kind of people who come later. Not those who gave their vote away, nor those who were only invited. The time is
 * taken away and the event comes of the same statement (note_action_changes), so of many processes one escalates, once. What someone holds
 * is left to the next round: it is being decided (index action_escalate).
 *
 * @returns how many
 */
export async function escalateActions(db: Queryable, limit: number): Promise<number> {
  const { count } = await db`
    with due as (
      select team_id, id from action where status = 'submitted' and escalate_at <= (select db_now())
      order by escalate_at limit ${limit} for update skip locked
    )
    update action a
    set escalate_at = null, escalated_at = (select db_now()), delegate_ids = array(
      select unnest(a.delegate_ids)
      union
      select v.user_id from approver v join app_user u on u.id = v.user_id and not u.is_invited
      where v.team_id = a.team_id and v.group_id = a.escalation_group_id and v.user_id <> all(a.delegator_ids))
    from due where a.team_id = due.team_id and a.id = due.id`;
  return count;
}

/** Milliseconds until the next escalation is due; undefined when none is. */
export async function findEscalationPause(db: Queryable): Promise<number | undefined> {
  const [row] = await db<{ leftMs: number | null }[]>`
    select extract(epoch from min(escalate_at) - (select db_now()))::float8 * 1000 as "leftMs"
    from action where escalate_at is not null and status = 'submitted'`;
  return row?.leftMs ?? undefined;
}
