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

/** Why this principal may not vote, whatever its permissions are; undefined when it may. */
export function votingBar(action: VotedAction, { id, people, isByToken }: VotingPrincipal): "voted" | "requester" | "token" | undefined {
  if (action.votes.some((vote) => vote.principal === id || meet(vote.people, people))) return "voted";
  const isOwnRun = meet(action.requesterPeople, people);
  if (action.barsRequester && (action.requesters.includes(id) || isOwnRun)) return "requester";
  return isByToken && isOwnRun ? "token" : undefined;
}

/**
 * The members of an approver group who can still vote: in the group when the action was opened and now, without a vote so far, and not the
 * person who started the run if that person may not vote.
 *
 * @param members of the group now
 */
export function openVoters(action: VotedAction, members: ReadonlySet<string>): string[] {
  return (action.voterIds ?? []).filter((id) => {
    const person = { id: `user:${id}`, people: [id], isByToken: false };
    return members.has(id) && votingBar(action, person) === undefined;
  });
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((id) => others.includes(id));
}
