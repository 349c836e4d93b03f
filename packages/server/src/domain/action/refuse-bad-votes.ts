import type { Reason } from "@millrace/contract/errors.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isVoterOfGroup, type VotingBar, type VotingPrincipal, votingBar } from "../../core/action/decide-action.ts";
import { type FieldFault, readFieldValues } from "../../core/action/field-values.ts";
import type { ActionRow } from "../../store/action/actions.ts";

/** Who may cast which vote: permissions, approver groups, and the people behind the voter. docs/approvals.md describes the rules. */

export interface Vote {
  actionId: string;
  approved: boolean;
  comments: string | null;
  /** Values for the fields of the action, by their names. */
  values: Readonly<Record<string, unknown>>;
}

export interface Voter {
  /** `user:<id>` or `token:<id>`: one vote each. */
  id: string;
  name: string;
  email: string | null;
  /** Undefined for a token that acts as itself, because it is in no approver group. */
  userId: string | undefined;
  /** The token that the voter uses, unless it is a session; undefined for a person who is signed in, or known to a chat. */
  tokenId: string | undefined;
  /** Which actions the voter may vote on at all. `approver groups`: only those of the groups that the voter is in. */
  reach: "all" | "approver groups" | "none";
}

/**
 * @throws AppError of the first vote that can't be cast, with an entry in `details` for each such vote (path: its index), and one for each
 * value that does not fit its field (path: the index, `values` and the name of the field)
 */
export function refuseBadVotes(
  votes: readonly Vote[],
  actions: ReadonlyMap<string, ActionRow>,
  groups: ReadonlyMap<string, ReadonlySet<string>>,
  voter: Voter & VotingPrincipal,
): void {
  const named = new Set<string>();
  const refusals = votes.flatMap((vote, index) => {
    const id = vote.actionId.toLowerCase();
    const action = actions.get(id);
    const refusal = whyNotVote(vote.actionId, action, groups, voter, named.has(id)) ?? whyNotValues(vote, action);
    named.add(id);
    return refusal ? [{ index, ...refusal }] : [];
  });
  const [first] = refusals;
  if (!first) return;
  const details: ErrorDetail[] = refusals.flatMap(({ index, reason, values, faults = [] }) => [
    { path: String(index), message: new AppError(reason, values).message },
    ...faults.map(({ name, message }) => ({ path: `${index}/values/${name}`, message })),
  ]);
  throw new AppError(first.reason, first.values, { details });
}

function whyNotValues({ values, approved }: Vote, action: ActionRow | undefined): Refusal | undefined {
  const { faults } = readFieldValues(action?.form?.fields ?? [], values, approved);
  if (!action || faults.length === 0) return undefined;
  return { reason: "ACTION_INVALID_VALUES", values: [action.id, faults.map(({ message }) => message).join("; ")], faults };
}

/** Why the voter can't vote on the action at all. @param isRepeated the request already has a vote on it */
export function whyNotVote(
  actionId: string,
  action: ActionRow | undefined,
  groups: ReadonlyMap<string, ReadonlySet<string>>,
  voter: Voter & VotingPrincipal,
  isRepeated = false,
): Refusal | undefined {
  if (!action) return { reason: "ACTION_INVALID_REF", values: [actionId] };
  if (action.status !== "submitted") return { reason: "ACTION_UNABLE_TO_ACTION", values: [action.id, `it is ${action.status} already`] };
  const { approverGroupId: groupId } = action;
  const group = groupId === null ? undefined : groups.get(groupId);
  const isDelegate = voter.userId !== undefined && action.delegateIds.includes(voter.userId);
  if (voter.reach === "none" || (voter.reach === "approver groups" && groupId === null && !isDelegate)) {
    return { reason: "PERMISSION_DENIED", values: [`voting on action ${action.id} needs the permission action/action in this team`] };
  }
  if (groupId !== null && !group) return { reason: "ACTION_INVALID_APPROVERGROUP", values: [groupId] };
  if (group && !isVoterOfGroup(action, voter.userId ?? "", group)) return whyNotInGroup(action, group, voter);
  const bar = isRepeated ? "voted" : votingBar(action, voter);
  if (bar === "requester" && action.type === "publish")
    return {
      reason: "PERMISSION_DENIED",
      values: [`action ${action.id} must be decided by someone other than the person who proposes the version`],
    };
  return bar && barText[bar](action.id, voter.name);
}

function whyNotInGroup({ id, approverGroupName: name }: ActionRow, group: ReadonlySet<string>, voter: Voter): Refusal {
  const isLate = voter.userId !== undefined && group.has(voter.userId);
  const why = isLate
    ? `${voter.name} joined approver group ${name} after action ${id} was opened, and can vote only on later ones`
    : `action ${id} is for the members of approver group ${name}`;
  return { reason: "PERMISSION_DENIED", values: [why] };
}

export interface Refusal {
  reason: Reason;
  values: unknown[];
  /** Of fields. */
  faults?: readonly FieldFault[];
}

const barText: Record<VotingBar, (actionId: string, voter: string) => Refusal> = {
  voted: (id, voter) => ({ reason: "ACTION_UNABLE_TO_ACTION", values: [id, `${voter} has voted on it already`] }),
  delegated: (id, voter) => ({ reason: "ACTION_UNABLE_TO_ACTION", values: [id, `${voter} has delegated their vote on it`] }),
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
