import { isId } from "../../base/text/uuid.ts";
import { requesterPeopleOf } from "../action/ballot.ts";
import type { Queryable } from "../database/database.ts";

/** Addresses of the people in a team who get emails. Inactive users get none. */

/** Members with one of these roles. */
export async function listEmailsOfRoles(db: Queryable, teamId: string, roles: readonly string[]): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select u.email from team_member m join app_user u on u.id = m.user_id
    where m.team_id = ${teamId} and m.role = any(${[...roles]}) and u.status = 'active' order by u.email`;
  return rows.map(({ email }) => email);
}

/**
 * People who may still vote on an open action: members of its approver group, or, without one, members with one of these roles; and those
 * to whom a vote was delegated. Excluded are people who have voted or delegated their vote, and the person who started the run if they may
 * not vote.
 *
 * @param only ids of users: no one else
 */
export async function listEmailsOfVoters(
  db: Queryable,
  teamId: string,
  actionId: string,
  roles: readonly string[],
  only?: readonly string[],
): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select u.email
    from action a
    join team_member m on m.team_id = a.team_id and case when m.user_id = any(a.delegate_ids) then true
      when a.approver_group_id is null then m.role = any(${[...roles]}) else exists (
      select from approver p where p.team_id = a.team_id and p.group_id = a.approver_group_id and p.user_id = m.user_id)
      and m.user_id = any(a.voter_ids) end and not m.user_id = any(a.delegator_ids)
    join app_user u on u.id = m.user_id
    where a.team_id = ${teamId} and a.id = ${actionId} and a.status = 'submitted' and u.status = 'active'
      ${only ? db`and u.id = any(${only.filter(isId)}::uuid[])` : db``}
      and not exists (select from action_vote v where v.team_id = a.team_id and v.action_id = a.id and u.id = any(people_of(v.principal)))
      and not (a.bars_requester and u.id = any(${requesterPeopleOf(db)}))
    order by u.email`;
  return rows.map(({ email }) => email);
}

/** The person who started the run, or the original run; nobody if that was no member of the team. */
export async function listEmailsOfInitiator(db: Queryable, teamId: string, runId: string): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select u.email from team_member m join app_user u on u.id = m.user_id
    where m.team_id = ${teamId} and u.status = 'active' and 'user:' || u.id = (select requester_of_run(${teamId}, ${runId}))`;
  return rows.map(({ email }) => email);
}

interface SubscriptionName {
  id: string;
  name: string;
  /** Null: it belongs to the instance. */
  teamId: string | null;
}

/** A team's own subscription, or one of the instance that is sent an event of the team; undefined if it no longer exists. */
export async function findSubscriptionName(db: Queryable, teamId: string | null, id: string): Promise<SubscriptionName | undefined> {
  const [row] = await db<SubscriptionName[]>`
    select id, name, team_id as "teamId" from subscription where (team_id = ${teamId} or team_id is null) and id::text = ${id}`;
  return row;
}
