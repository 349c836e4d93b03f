/**
 * What the votes on an action come to. With one approval wanted the first vote decides. Otherwise it is approved once there are
 * enough approvals; rejected, without a group, by the first rejection, and with one as soon as those of the group who have not
 * voted yet are too few to reach it. Undefined while it is open.
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
 * Who may vote on an action, as far as people are concerned. Pure. A token is never more than the people behind it: the person who made it,
 * the person who made the token that made it, and, of a user token, its user. So a person has one vote, however many tokens they hold, and
 * no token votes on a run that its people have started.
 */

interface VotedAction {
  /** The principals who started the run, or the run that it goes back to, or changed it while it was queued. */
  requesters: readonly string[];
  /** Ids of the people behind them. */
  requesterPeople: readonly string[];
  barsRequester: boolean;
  /** Members of the approver group when the action was opened; null without a group. */
  voterIds: readonly string[] | null;
  /** People who have delegated their vote, and those who hold one that was delegated to them. Nobody is among both. */
  delegatorIds: readonly string[];
  delegateIds: readonly string[];
  votes: readonly { principal: string; people: readonly string[] }[];
}

export interface VotingPrincipal {
  /** `user:<id>` or `token:<id>`. */
  id: string;
  /** Ids of the people behind it; one, for a person. */
  people: readonly string[];
  /** It calls by a token that is not a session. */
  isByToken: boolean;
}

export type VotingBar = "voted" | "delegated" | "requester" | "token";

/** Why this principal may not vote, whatever its permissions are; undefined when it may. */
export function votingBar(action: VotedAction, { id, people, isByToken }: VotingPrincipal): VotingBar | undefined {
  if (action.votes.some((vote) => vote.principal === id || meet(vote.people, people))) return "voted";
  if (meet(action.delegatorIds, people)) return "delegated";
  const isOwnRun = meet(action.requesterPeople, people);
  if (action.barsRequester && (action.requesters.includes(id) || isOwnRun)) return "requester";
  return isByToken && isOwnRun ? "token" : undefined;
}

/**
 * Does the person count as a voter of an action with an approver group? In the group when the action was opened and now; or someone
 * delegated a vote to them.
 *
 * @param members of the group now
 */
export function isVoterOfGroup(
  { voterIds, delegateIds }: Pick<VotedAction, "voterIds" | "delegateIds">,
  userId: string,
  members: ReadonlySet<string>,
): boolean {
  return delegateIds.includes(userId) || (members.has(userId) && (voterIds ?? []).includes(userId));
}

/**
 * The people who can still vote on an action with an approver group: its voters without a vote so far, apart from those who delegated it, and
 * from the person who started the run if that person may not vote.
 *
 * @param members of the group now
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
