import type { Queryable } from "../database/database.ts";

/** Escalations of actions, in all teams: without a decision in time, the members of another approver group may vote as well. */

/**
 * Lets the current members of the other group vote on open actions whose escalation is due, as if a vote had been delegated to them: the
 * rules of voting know only one kind of additional voters. People who delegated their vote, and those who were only invited, are excluded.
 * The due time is cleared and the event recorded in the same statement (note_action_changes), so only one of many processes escalates.
 * Locked actions are left to the next round, because they are being decided (index action_escalate).
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
