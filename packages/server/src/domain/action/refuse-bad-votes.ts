import type { Reason } from "@millrace/contract/errors.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { type VotingPrincipal, votingBar } from "../../core/action/decide-action.ts";
import type { ActionRow } from "../../store/action/actions.ts";

/** Who may cast which vote: permissions, approver groups, and the people behind the voter. docs/approvals.md says it in words. */

export interface Vote {
  actionId: string;
  approved: boolean;
  comments: string | null;
}

export interface Voter {
  /** `user:<id>` or `token:<id>`: one vote each. */
  id: string;
  name: string;
  email: string | null;
  /** Undefined for a token that acts as itself: it is in no approver group. */
  userId: string | undefined;
  /** By which token that is not a session the voter calls; undefined for a person who is signed in, or known to a chat. */
  tokenId: string | undefined;
  /** Which actions the voter may vote on at all: `approver groups`, only those of the groups that the voter is in. */
  reach: "all" | "approver groups" | "none";
}

/** @throws AppError of the first vote that can't be cast, with an entry in `details` for each such vote (path: its index) */
export function refuseBadVotes(
  votes: readonly Vote[],
  actions: ReadonlyMap<string, ActionRow>,
  groups: ReadonlyMap<string, ReadonlySet<string>>,
  voter: Voter & VotingPrincipal,
): void {
  const named = new Set<string>();
  const refusals = votes.flatMap((vote, index) => {
    const id = vote.actionId.toLowerCase();
    const refusal = whyNot(vote, named.has(id), actions.get(id), groups, voter);
    named.add(id);
    return refusal ? [{ index, ...refusal }] : [];
  });
  const [first] = refusals;
  if (!first) return;
  const details: ErrorDetail[] = refusals.map(({ index, reason, values }) => ({
    path: String(index),
    message: new AppError(reason, values).message,
  }));
  throw new AppError(first.reason, first.values, { details });
}

function whyNot(
  { actionId }: Vote,
  isRepeated: boolean,
  action: ActionRow | undefined,
  groups: ReadonlyMap<string, ReadonlySet<string>>,
  voter: Voter & VotingPrincipal,
): Refusal | undefined {
  if (!action) return { reason: "ACTION_INVALID_REF", values: [actionId] };
  if (action.status !== "submitted") return { reason: "ACTION_UNABLE_TO_ACTION", values: [action.id, `it is ${action.status} already`] };
  const { approverGroupId: groupId } = action;
  const group = groupId === null ? undefined : groups.get(groupId);
  if (voter.reach === "none" || (voter.reach === "approver groups" && groupId === null)) {
    return { reason: "PERMISSION_DENIED", values: [`voting on action ${action.id} needs the permission action/action in this team`] };
  }
  if (groupId !== null && !group) return { reason: "ACTION_INVALID_APPROVERGROUP", values: [groupId] };
  if (group && !(voter.userId !== undefined && group.has(voter.userId))) {
    return {
      reason: "PERMISSION_DENIED",
      values: [`action ${action.id} is for the members of approver group ${action.approverGroupName}`],
    };
  }
  if (group && !action.voterIds?.includes(voter.userId ?? "")) {
    return {
      reason: "PERMISSION_DENIED",
      values: [
        `${voter.name} joined approver group ${action.approverGroupName} after action ${action.id} was opened, and can vote only on later ones`,
      ],
    };
  }
  const bar = isRepeated ? "voted" : votingBar(action, voter);
  return bar && barText[bar](action.id, voter.name);
}

interface Refusal {
  reason: Reason;
  values: unknown[];
}

const barText: Record<NonNullable<ReturnType<typeof votingBar>>, (actionId: string, voter: string) => Refusal> = {
  voted: (id, voter) => ({ reason: "ACTION_UNABLE_TO_ACTION", values: [id, `${voter} has voted on it already`] }),
  requester: (id) => ({
    reason: "PERMISSION_DENIED",
    values: [`action ${id} must be decided by someone other than the person who started the run`],
  }),
  token: (id) => ({
    reason: "PERMISSION_DENIED",
    values: [
      `action ${id} belongs to a run that was started by the person behind this token; a person has to decide it, signed in or in the chat`,
    ],
  }),
};
