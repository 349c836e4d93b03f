import type { Voter } from "../../domain/action/decide-actions.ts";
import { votingReach } from "../../policy/actions.ts";
import type { Principal } from "../endpoint.ts";

/** The principal as one who votes on actions of that team. */
export function voterOf(principal: Principal, teamId: string): Voter {
  const { id, name, email, userId } = principal;
  return { id, name, email: email ?? null, userId, reach: votingReach(principal, teamId) };
}
