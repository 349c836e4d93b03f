import type { Queryable } from "./database.ts";

/** Which open actions wait for one certain voter, by the rules of domain/action/decide-actions.ts. */

export interface Ballot {
  /** `user:<id>` or `token:<id>`. */
  principal: string;
  /** Undefined for a token that acts as itself: it is in no approver group. */
  userId: string | undefined;
  /** Teams where he votes on what names no approver group. */
  everythingOf: readonly string[];
  /** Teams where he votes for the groups that he is in, those above included. */
  groupsOf: readonly string[];
}

/** As a condition on `action a`. */
export function isVotable(db: Queryable, { principal, userId, everythingOf, groupsOf }: Ballot) {
  return db`
    a.status = 'submitted'
    and case when a.approver_group_id is null then a.team_id = any(${[...everythingOf]}::uuid[])
        else a.team_id = any(${[...groupsOf]}::uuid[]) and exists (
          select from approver v where v.team_id = a.team_id and v.group_id = a.approver_group_id and v.user_id = ${userId ?? null}::uuid) end
    and not exists (select from action_vote v where v.team_id = a.team_id and v.action_id = a.id and v.principal = ${principal})
    and not (a.bars_requester and requester_of_run(a.team_id, a.run_id) is not distinct from ${principal})`;
}
