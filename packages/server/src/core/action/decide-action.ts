/**
 * The decision that the votes on an action lead to. If one approval is enough, the first vote decides. Otherwise the action is approved
 * once it has enough approvals. Without a group, the first rejection rejects it; with a group, it is rejected as soon as too few members
 * are left who have not voted to reach the number. Undefined while it is open.
 */
interface Tally {
  wanted: number;
  approvals: number;
  rejections: number;
  /** Members of the approver group who have not voted; null without a group. */
  openVoters: number | null;
}

export function decideAction({ wanted, approvals, rejections, openVoters }: Tally): "approved" | "rejected" | undefined {
  if (approvals >= wanted) return "approved";
  if (rejections > 0 && (wanted === 1 || openVoters === null)) return "rejected";
  return openVoters !== null && approvals + rejections > 0 && approvals + openVoters < wanted ? "rejected" : undefined;
}

/**
 * Who may vote on an action. Pure. A token can do no more than the people behind it: the person who created it, the person who created the
 * token that created it, and, for a user token, its user. So a person has one vote, however many tokens they have, and no token can vote on
 * a run that its people have started.
 */

interface VotedAction {
  /** The principals who started the run (or the run that it is derived from), or changed it while it was queued. */
  requesters: readonly string[];
  /** Ids of the people behind them. */
  requesterPeople: readonly string[];
  barsRequester: boolean;
  /** Members of the approver group when the action was opened; null without a group. */
  voterIds: readonly string[] | null;
  /** People who have delegated their vote, and those who hold a delegated vote. No one is in both lists. */
  delegatorIds: readonly string[];
  delegateIds: readonly string[];
  votes: readonly { principal: string; people: readonly string[] }[];
}

export interface VotingPrincipal {
  /** `user:<id>` or `token:<id>`. */
  id: string;
  /** Ids of the people behind it; for a person, only their own. */
  people: readonly string[];
  /** The caller uses a token that is not a session. */
  isByToken: boolean;
}

export type VotingBar = "voted" | "delegated" | "requester" | "token";

/** Why this principal may not vote, apart from its permissions; undefined if it may. */
export function votingBar(action: VotedAction, { id, people, isByToken }: VotingPrincipal): VotingBar | undefined {
  if (action.votes.some((vote) => vote.principal === id || meet(vote.people, people))) return "voted";
  if (meet(action.delegatorIds, people)) return "delegated";
  const isOwnRun = meet(action.requesterPeople, people);
  if (action.barsRequester && (action.requesters.includes(id) || isOwnRun)) return "requester";
  return isByToken && isOwnRun ? "token" : undefined;
}

/**
 * Whether the person can vote on an action with an approver group: they were in the group when the action was opened and still are, or a
 * vote was delegated to them.
 *
 * @param members current members of the group
 */
export function isVoterOfGroup(
  { voterIds, delegateIds }: Pick<VotedAction, "voterIds" | "delegateIds">,
  userId: string,
  members: ReadonlySet<string>,
): boolean {
  return delegateIds.includes(userId) || (members.has(userId) && (voterIds ?? []).includes(userId));
}

/**
 * The people who can still vote on an action with an approver group: its voters who have not voted, without those who delegated their vote,
 * and without the person who started the run if that person may not vote.
 *
 * @param members current members of the group
 */
export function openVoters(action: VotedAction, members: ReadonlySet<string>): string[] {
  const candidates = new Set([...(action.voterIds ?? []), ...action.delegateIds]);
  return [...candidates].filter((id) => {
    const person = { id: `user:${id}`, people: [id], isByToken: false };
    return isVoterOfGroup(action, id, members) && votingBar(action, person) === undefined;
  });
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((id) => others.includes(id));
}
