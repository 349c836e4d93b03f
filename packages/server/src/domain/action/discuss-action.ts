import { AppError } from "../../base/error/app-error.ts";
import { isVoterOfGroup, type VotingPrincipal, votingBar } from "../../core/action/decide-action.ts";
import { countActionNotes, insertActionNote, moveVote } from "../../store/action/action-notes.ts";
import type { ActionRow } from "../../store/action/actions.ts";
import type { Transaction } from "../../store/database/database.ts";
import { type ApproverGroupRow, findMembers, listApproverGroups, type MemberRow } from "../../store/team/members.ts";
import { groupMembers, lockActions, peopleBehind } from "./decide-actions.ts";
import { type Refusal, type Voter, whyNotVote } from "./refuse-bad-votes.ts";

/**
 * What people can do with an open action besides voting: comment on it, and delegate their vote. A delegation moves the vote of one person
 * and never adds one, so it doesn't help to reach a quorum; and it can't go to the people who started the run. The members of a group are
 * those at that moment, as with the group of the action. docs/approvals.md describes the rules.
 */

/** Each is a row of the history, which is always read as a whole. */
const maxNotes = 200;

/**
 * @returns the action that was commented on
 * @throws AppError if the action is closed, or the principal isn't involved in it
 */
export async function commentOnAction(
  tx: Transaction,
  teamId: string,
  actionId: string,
  voter: Voter,
  comments: string,
): Promise<ActionRow> {
  const { action, groups, principal } = await open(tx, teamId, actionId, voter);
  if (!mayComment(action, groups, principal)) {
    throw new AppError("PERMISSION_DENIED", [
      `commenting on action ${action.id} needs the permission action/action in this team, or a vote on the action`,
    ]);
  }
  await note(tx, teamId, action.id, voter, { kind: "comment", comments, delegateName: null, delegateGroupId: null, delegateIds: null });
  return action;
}

type Groups = ReadonlyMap<string, ReadonlySet<string>>;

function mayComment(action: ActionRow, groups: Groups, { reach, userId, people }: Voter & VotingPrincipal): boolean {
  if (reach !== "approver groups") return reach === "all";
  const members = groups.get(action.approverGroupId ?? "") ?? new Set<string>();
  return isVoterOfGroup(action, userId ?? "", members) || people.some((id) => action.requesterPeople.includes(id));
}

/** To one person (ID or email address) or to one approver group (ID or name). */
export interface Delegation {
  user: string | null;
  group: string | null;
  comments: string | null;
}

/**
 * @returns the action as it was before, and the name of the delegate
 * @throws AppError if the voter can't vote, or the delegate may not
 */
export async function delegateAction(
  tx: Transaction,
  teamId: string,
  actionId: string,
  voter: Voter,
  { user, group, comments }: Delegation,
): Promise<{ action: ActionRow; delegate: string }> {
  const { action, groups, principal } = await open(tx, teamId, actionId, voter);
  refuse(whyNotVote(actionId, action, groups, principal));
  if (voter.userId === undefined)
    throw new AppError("PERMISSION_DENIED", ["only people can delegate a vote, and this token acts as itself"]);
  const target = await findDelegates(tx, teamId, action, groups, { user, group });
  await moveVote(tx, teamId, action.id, voter.userId, target.delegateIds);
  await note(tx, teamId, action.id, voter, { kind: "delegation", comments, ...target });
  return { action, delegate: target.delegateName };
}

async function open(tx: Transaction, teamId: string, actionId: string, voter: Voter) {
  const id = actionId.toLowerCase();
  const actions = await lockActions(tx, teamId, [id]);
  const action = actions.get(id);
  if (action === undefined) throw new AppError("ACTION_INVALID_REF", [actionId]);
  if (action.status !== "submitted") throw new AppError("ACTION_UNABLE_TO_ACTION", [action.id, `it is ${action.status} already`]);
  if ((await countActionNotes(tx, teamId, id)) >= maxNotes) {
    throw new AppError("CONFLICT", [`Action ${id} has ${maxNotes} comments and delegations already, which is the limit`]);
  }
  const groups = await groupMembers(tx, teamId, [action]);
  const principal = { ...voter, people: await peopleBehind(tx, voter), isByToken: voter.tokenId !== undefined };
  return { action, groups, principal };
}

function refuse(refusal: Refusal | undefined): void {
  if (refusal) throw new AppError(refusal.reason, refusal.values);
}

type NoteInput = Pick<Parameters<typeof insertActionNote>[3], "kind" | "comments" | "delegateName" | "delegateGroupId" | "delegateIds">;

async function note(tx: Transaction, teamId: string, actionId: string, voter: Voter, input: NoteInput): Promise<void> {
  await insertActionNote(tx, teamId, actionId, { ...input, principal: voter.id, name: voter.name, email: voter.email });
}

interface Delegates {
  delegateName: string;
  delegateGroupId: string | null;
  delegateIds: string[];
}

async function findDelegates(
  tx: Transaction,
  teamId: string,
  action: ActionRow,
  groups: Groups,
  { user, group }: Pick<Delegation, "user" | "group">,
): Promise<Delegates> {
  if ((user === null) === (group === null)) {
    throw new AppError("VALIDATION_FAILED", ['give either "user" or "group"'], {
      details: [{ path: "/user", message: 'must be given, or "group" instead' }],
    });
  }
  const all = await listApproverGroups(tx, [teamId]);
  return group === null ? toPerson(tx, teamId, action, groups, all, user ?? "") : toGroup(action, groups, all, group);
}

async function toPerson(
  tx: Transaction,
  teamId: string,
  action: ActionRow,
  groups: Groups,
  all: readonly ApproverGroupRow[],
  reference: string,
): Promise<Delegates> {
  const lower = reference.trim().toLowerCase();
  const [member] = await findMembers(tx, teamId, { ids: [lower], emails: [lower] });
  const fault = member ? whyNoDelegate(action, groups, member.userId) : "must be the ID or email address of a member of the team";
  const outsider =
    member && !mayApprove(member, all) ? "must be an editor or owner of the team, or in one of its approver groups" : undefined;
  if (member === undefined || fault !== undefined || outsider !== undefined) {
    throw new AppError("ACTION_INVALID_DELEGATE", [action.id, reference, fault ?? outsider]);
  }
  return { delegateName: member.name ?? member.email, delegateGroupId: null, delegateIds: [member.userId] };
}

function mayApprove({ role, userId }: MemberRow, all: readonly ApproverGroupRow[]): boolean {
  return role !== "reader" || all.some(({ approvers }) => approvers.some(({ id }) => id === userId));
}

/** A vote can't be split: if several approvals are required, it goes to a person. */
function toGroup(action: ActionRow, groups: Groups, all: readonly ApproverGroupRow[], reference: string): Delegates {
  const lower = reference.trim().toLowerCase();
  const found = all.find(({ id }) => id === lower) ?? all.find(({ name }) => name.toLowerCase() === lower);
  const ids = (found?.approvers ?? []).map(({ id }) => id).filter((id) => whyNoDelegate(action, groups, id) === undefined);
  const fault =
    found === undefined
      ? "the team has no such approver group"
      : action.approversWanted > 1
        ? `${action.approversWanted} approvals are required, so a vote can only go to a person`
        : ids.length === 0
          ? "nobody in it could vote who can't vote already"
          : undefined;
  if (found === undefined || fault !== undefined) throw new AppError("ACTION_INVALID_DELEGATE", [action.id, reference, fault]);
  return { delegateName: found.name, delegateGroupId: found.id, delegateIds: ids };
}

/** Why no vote goes to this person; the rest is examined when they vote. */
function whyNoDelegate(action: ActionRow, groups: Groups, userId: string): string | undefined {
  if (action.requesterPeople.includes(userId)) return "the run belongs to that person";
  const bar = votingBar({ ...action, delegatorIds: [] }, { id: `user:${userId}`, people: [userId], isByToken: false });
  if (bar === "voted") return "that person has voted already";
  if (action.delegatorIds.includes(userId)) return undefined;
  const group = groups.get(action.approverGroupId ?? "");
  const isVoter = group ? isVoterOfGroup(action, userId, group) : action.delegateIds.includes(userId);
  return isVoter ? "that person can vote already" : undefined;
}
