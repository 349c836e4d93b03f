import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";

/** Which open actions wait for a voter, by the rules of core/action/decide-action.ts and domain/action/decide-actions.ts. */

export interface Ballot {
  /** `user:<id>` or `token:<id>`. */
  principal: string;
  /** Undefined for a token that acts as itself, because it is in no approver group. */
  userId: string | undefined;
  /** The token that the principal uses, unless it is a session; undefined for a person who is signed in. */
  tokenId: string | undefined;
  /** Teams where the caller may vote on actions without an approver group. */
  everythingOf: readonly string[];
  /** Teams where the caller may vote for their groups; includes the teams above. */
  groupsOf: readonly string[];
}

/** Of `action a`: the principals who started the run, or who proposed the version, and the people behind them. */
export const requestersOf = (db: Queryable) => db`
  (case when a.run_id is null then array[a.proposer] else requesters_of_run(a.team_id, a.run_id) end)`;
export const requesterPeopleOf = (db: Queryable) => db`
  (case when a.run_id is null then people_of(a.proposer) else people_of_run(a.team_id, a.run_id) end)`;

/** As a condition on `action a`. */
export function isVotable(db: Queryable, { principal, userId, tokenId, everythingOf, groupsOf }: Ballot) {
  const behindToken = tokenId !== undefined && isId(tokenId) ? db`people_of(${`token:${tokenId}`})` : db`'{}'::uuid[]`;
  const people = db`(select ${userId === undefined ? [] : [userId]}::uuid[] || ${behindToken})`;
  return db`
    a.status = 'submitted'
    and case when ${userId ?? null}::uuid = any(a.delegate_ids) then a.team_id = any(${[...groupsOf]}::uuid[])
        when a.approver_group_id is null then a.team_id = any(${[...everythingOf]}::uuid[])
        else a.team_id = any(${[...groupsOf]}::uuid[]) and exists (
          select from approver v where v.team_id = a.team_id and v.group_id = a.approver_group_id and v.user_id = ${userId ?? null}::uuid)
          and ${userId ?? null}::uuid = any(a.voter_ids) end
    and not a.delegator_ids && ${people}
    and not exists (
      select from action_vote v
      where v.team_id = a.team_id and v.action_id = a.id and (v.principal = ${principal} or people_of(v.principal) && ${people}))
    and not (a.bars_requester and ${principal} = any(${requestersOf(db)}))
    and not (cardinality(${people}) > 0 and (a.bars_requester or ${tokenId !== undefined}) and ${requesterPeopleOf(db)} && ${people})`;
}
