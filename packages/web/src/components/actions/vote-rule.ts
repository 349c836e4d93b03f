import type { components } from "@millrace/client/schema.generated.ts";
import { useQuery } from "@tanstack/react-query";
import type { Action } from "../../api/queries/actions.ts";
import { teamQuery } from "../../api/queries/identity/session.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/actions.ts";

type Team = Pick<components["schemas"]["Team"], "approverGroups">;

/** A person who can vote, as far as the page knows them. */
export interface Approver {
  id?: string | null;
  name?: string | null;
  email?: string | null;
}

/** Who views the action, and what is known of its run. */
export interface Voter {
  /** `user:<id>` or `token:<id>`. */
  id: string;
  userId: string | null;
  mayAct: boolean;
  /** Whether the viewer is signed in with a token. Tokens can't decide on runs of the person behind them. */
  isByToken: boolean;
  /** Who started the run, if known. */
  requester?: string | undefined;
}

/**
 * Why the viewer can't vote on an action, in words; undefined if they can, as far as the page knows. The rules are those of
 * docs/approvals.md, and the service enforces them.
 */
export function whyNotVote(action: Action, voter: Voter, team: Team | undefined): string | undefined {
  if (action.status !== "submitted") return whyOver[action.status];
  if (action.actioners.some(({ approverId }) => approverId === voter.userId || approverId === voter.id))
    return t("voteRule.haveVotedAlreadyOther");
  if (voter.userId !== null && action.delegatorRefs.includes(voter.userId)) return t("voteRule.delegated");
  if (action.proposer !== undefined && action.proposer === voter.id) return t("voteRule.proposedSoSomebody");
  if (action.requesterMayNotApprove && voter.requester === voter.id) return t("voteRule.startedRunSoSomebody");
  if (voter.isByToken && voter.requester === voter.id) return t("voteRule.startedRunSignedToken");
  if (voter.userId !== null && action.delegateRefs.includes(voter.userId)) return undefined;
  if (action.approverGroupRef) return whyNotInGroup(action, voter, team);
  return voter.mayAct ? undefined : t("voteRule.decideNeedPermissionAction");
}

const whyOver = {
  approved: t("voteRule.alreadyApproved"),
  rejected: t("voteRule.alreadyRejected"),
  cancelled: t("voteRule.cancelled"),
} as const;

/**
 * Those who can vote by a delegation or the escalation. Their names are in the group that they are in, or in the history, which lists of
 * actions leave out; who is in neither has none.
 */
export function delegatesOf({ delegateRefs, history = [] }: Action, groups: Team["approverGroups"]): Approver[] {
  const single = new Map(history.flatMap(({ delegateRefs: to = [], delegatedTo }) => (to.length === 1 ? [[to[0], delegatedTo]] : [])));
  const known = new Map(groups.flatMap(({ approvers }) => approvers).map((one) => [one.id, one]));
  return delegateRefs.map((id) => known.get(id) ?? { id, name: single.get(id) ?? "" });
}

function whyNotInGroup(action: Action, { userId }: Voter, team: Team | undefined): string | undefined {
  const { approverGroupRef, approverGroupName, approverRefs, delegatorRefs } = action;
  if (!approverGroupName) return t("voteRule.approverGroupWasDeleted");
  const group = team?.approverGroups.find(({ id }) => id === approverGroupRef);
  if (group === undefined) return undefined;
  if (group.approvers.some(({ id }) => id === userId)) {
    const isLate = approverRefs?.every((id) => id !== userId) ?? false;
    return isLate ? t("voteRule.joinedAfterWasOpened", { approverGroupName }) : undefined;
  }
  const own = group.approvers.filter(({ id }) => !delegatorRefs.some((one) => one === id));
  const others = delegatesOf(action, team?.approverGroups ?? []).filter(({ id }) => !own.some((one) => one.id === id));
  const names = [...own, ...others].map(({ name, email }) => name || email || "").filter((name) => name !== "");
  return t("voteRule.onlyMembersApproverGroup", { approverGroupName, names: names.join(", ") || t("voteRule.noMembers") });
}

/** What is still missing for a decision, as one sentence. */
export function stillNeeded({ status, approvalsRequired, numberOfApprovals, type }: Action): string {
  if (status !== "submitted") return t("voteRule.noFurtherVotesNeeded");
  const open = Math.max(0, approvalsRequired - numberOfApprovals);
  if (type === "manual") return t("voteRule.markDoneSayCant");
  if (approvalsRequired === 1) return t("voteRule.oneApprovalNeeded");
  return t("voteRule.approvalsStillNeeded", { open, approvalsRequired });
}

/** The labels of the two possible decisions. */
export const actionWords = {
  approval: { yes: t("voteRule.approve"), no: t("voteRule.reject") },
  manual: { yes: t("voteRule.markDone"), no: t("voteRule.cantDone") },
  publish: { yes: t("voteRule.approve"), no: t("voteRule.reject") },
} as const;

/**
 * Returns `whyNot(action)` for the signed-in user: why a vote on that action would be refused.
 * @param requester who started the run, if known
 */
export function useVoter(team: string): { whyNot: (action: Action, requester?: string) => string | undefined } {
  const caller = useCaller();
  const rights = useRights(team);
  const { data } = useQuery(teamQuery(team));
  const voter = { id: caller.id, userId: caller.userId, mayAct: rights.may("action/action"), isByToken: caller.kind !== "session" };
  return { whyNot: (action, requester) => whyNotVote(action, { ...voter, requester }, data) };
}
