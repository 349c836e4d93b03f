import type { Action } from "../../api/queries/actions.ts";
import type { components } from "../../api/schema.generated.ts";

type Team = Pick<components["schemas"]["Team"], "approverGroups">;

/** Who looks at the action, and what is known of its run. */
export interface Voter {
  /** `user:<id>` or `token:<id>`. */
  id: string;
  userId: string | null;
  mayAct: boolean;
  /** Signed in with a token, which never decides on runs of the person behind it. */
  isByToken: boolean;
  /** Who started the run, where that is known. */
  requester?: string | undefined;
}

/**
 * Why somebody can't vote on an action, in words; undefined: he can, as far as a page may know. The rules are those of
 * docs/approvals.md, and the service decides by them.
 */
export function whyNotVote(action: Action, voter: Voter, team: Team | undefined): string | undefined {
  if (action.status !== "submitted") return `This is already ${action.status}.`;
  if (action.actioners.some(({ approverId }) => approverId === voter.userId || approverId === voter.id))
    return "You have voted on this already. Other votes are still needed.";
  if (action.requesterMayNotApprove && voter.requester === voter.id) return "You started this run, so somebody else has to decide.";
  if (voter.isByToken && voter.requester === voter.id)
    return "You started this run and are signed in with a token. Sign in without a token to decide.";
  if (action.approverGroupRef) return whyNotInGroup(action, voter, team);
  return voter.mayAct ? undefined : "To decide, you need the permission action/action in this team. Editors and owners have it.";
}

function whyNotInGroup(
  { approverGroupRef, approverGroupName, approverRefs }: Action,
  { userId }: Voter,
  team: Team | undefined,
): string | undefined {
  if (!approverGroupName) return "The approver group was deleted, so nobody can decide. Cancel the run.";
  const group = team?.approverGroups.find(({ id }) => id === approverGroupRef);
  if (group === undefined) return undefined;
  if (group.approvers.some(({ id }) => id === userId)) {
    const isLate = approverRefs?.every((id) => id !== userId) ?? false;
    return isLate ? `You joined ${approverGroupName} after this was opened. You can vote on later ones.` : undefined;
  }
  const names = group.approvers.map(({ name, email }) => name || email).join(", ");
  return `Only members of the approver group ${approverGroupName} can decide: ${names || "none at present"}.`;
}

/** What is still missing, as one sentence. */
export function stillNeeded({ status, approvalsRequired, numberOfApprovals, type }: Action): string {
  if (status !== "submitted") return "No further votes are needed.";
  const open = Math.max(0, approvalsRequired - numberOfApprovals);
  if (type === "manual") return "Mark it as done, or say that it can't be done.";
  if (approvalsRequired === 1) return "One approval is needed.";
  return `${open} of ${approvalsRequired} approvals ${open === 1 ? "is" : "are"} still needed.`;
}

/** Words for the two ways to decide. */
export const actionWords = {
  approval: { yes: "Approve", no: "Reject" },
  manual: { yes: "Mark as done", no: "Can't be done" },
} as const;
