import type { Voter } from "../../domain/action/refuse-bad-votes.ts";
import { votingReach } from "../../policy/actions.ts";
import type { Ballot } from "../../store/action/ballot.ts";
import type { Principal } from "../endpoint.ts";

/** The principal as one who votes on actions of that team. */
export function voterOf(principal: Principal, teamId: string): Voter {
  const { id, name, email, userId } = principal;
  return { id, name, email: email ?? null, userId, tokenId: votingToken(principal), reach: votingReach(principal, teamId) };
}

/** The token by which the principal calls; a session is the person. */
function votingToken({ kind, tokenId, id, userId }: Principal): string | undefined {
  if (kind === "session") return undefined;
  return tokenId ?? (userId === undefined ? id : undefined);
}

/** What of the open actions of these teams waits for the principal. */
export function ballotOf(principal: Principal, teamIds: readonly string[]): Ballot {
  const { id, userId } = principal;
  const tokenId = votingToken(principal);
  const reachable = teamIds.map((team) => ({ team, reach: votingReach(principal, team) })).filter(({ reach }) => reach !== "none");
  return {
    principal: id,
    userId,
    tokenId,
    everythingOf: reachable.filter(({ reach }) => reach === "all").map(({ team }) => team),
    groupsOf: reachable.map(({ team }) => team),
  };
}
