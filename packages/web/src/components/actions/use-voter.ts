import { useQuery } from "@tanstack/react-query";
import type { Action } from "../../api/queries/actions.ts";
import { teamQuery } from "../../api/queries/teams.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { whyNotVote } from "./vote-rule.ts";

/**
 * `whyNot(action)` for who is signed in: why a button that decides would not work. @param requester who started the run, if that is known
 */
export function useVoter(team: string): { whyNot: (action: Action, requester?: string) => string | undefined } {
  const caller = useCaller();
  const rights = useRights(team);
  const { data } = useQuery(teamQuery(team));
  const voter = { id: caller.id, userId: caller.userId, mayAct: rights.may("action/action"), isByToken: caller.kind !== "session" };
  return { whyNot: (action, requester) => whyNotVote(action, { ...voter, requester }, data) };
}
