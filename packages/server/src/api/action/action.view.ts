import type { Action, ActionAttachment, Actioner, ActionHistoryEntry } from "@millrace/contract/action/action.ts";
import { shorten } from "../../base/text/shorten.ts";
import type { Voter } from "../../domain/action/refuse-bad-votes.ts";
import { votingReach } from "../../policy/teams.ts";
import type { ActionDetails, ActionNoteRow } from "../../store/action/action-notes.ts";
import type { ActionRow, VoteRow } from "../../store/action/actions.ts";
import type { Ballot } from "../../store/action/ballot.ts";
import type { Principal } from "../endpoint.ts";

export function viewAction(row: ActionRow, teamName: string): Action {
  return {
    id: row.id,
    workflowRef: row.workflowId,
    workflowName: row.workflowName,
    workflowDisplayName: row.workflowDisplayName,
    workflowRunRef: row.runId,
    taskRunRef: row.taskRunId,
    taskName: row.taskName,
    teamName,
    type: row.type,
    status: row.status,
    title: row.title,
    instructions: row.instructions,
    fields: row.form?.fields ?? [],
    fieldCount: row.form?.fields.length ?? 0,
    links: row.form?.links ?? [],
    creationDate: row.createdAt.toISOString(),
    deadline: row.deadlineAt?.toISOString() ?? null,
    reminder: row.reminderMinutes,
    reminderDate: nextReminder(row)?.toISOString() ?? null,
    reminderCount: row.remindersDue,
    escalateAfter: row.escalateMinutes,
    escalateToRef: row.escalationGroupId,
    escalateToName: row.escalationGroupName,
    escalationDate: escalationDate(row)?.toISOString() ?? null,
    escalated: row.escalatedAt !== null,
    requesterMayNotApprove: row.barsRequester,
    numberOfApprovers: row.approversWanted,
    approvalsRequired: row.approversWanted,
    numberOfApprovals: row.votes.filter(({ approved }) => approved).length,
    approverGroupRef: row.approverGroupId,
    approverGroupName: row.approverGroupName,
    approverRefs: row.voterIds,
    delegatorRefs: row.delegatorIds,
    delegateRefs: row.delegateIds,
    ...(row.proposer !== null && { proposer: row.proposer }),
    actioners: row.votes.map(viewVote),
  };
}

const briefLength = 300;

/** For lists: a form can have 20,000 characters, and a message as many. */
export function viewListedAction(row: ActionRow, teamName: string): Action {
  const instructions = row.instructions === null ? null : shorten(row.instructions, briefLength);
  return { ...viewAction(row, teamName), fields: [], instructions };
}

/** None once the action is closed, or if the wait ends earlier. */
function nextReminder({ status, createdAt, reminderMinutes, remindersDue, deadlineAt }: ActionRow): Date | undefined {
  if (status !== "submitted" || reminderMinutes === null) return undefined;
  const next = new Date(createdAt.getTime() + (remindersDue + 1) * reminderMinutes * 60_000);
  return deadlineAt !== null && next >= deadlineAt ? undefined : next;
}

/** When it happened, or will happen unless the action is closed before. */
function escalationDate({ status, escalateAt, escalatedAt }: ActionRow): Date | null {
  return escalatedAt ?? (status === "submitted" ? escalateAt : null);
}

/** A person is identified by the id of the user; a token that acted as itself by `token:<id>`. */
function viewVote({ principal, name, email, approved, comments, values, at }: VoteRow): Actioner {
  return {
    approverId: idOf(principal),
    ...(name && { approverName: name }),
    ...(email && { approverEmail: email }),
    ...(comments && { comments }),
    date: at,
    approved,
    ...(values && { values }),
  };
}

function idOf(principal: string): string {
  return principal.replace(/^user:/, "");
}

/** One action with everything that people see of it, and its history. */
export function viewWholeAction(row: ActionRow, teamName: string, details: ActionDetails, notes: readonly ActionNoteRow[]): Action {
  return {
    ...viewAction(row, teamName),
    attachments: details.attachments.map(viewAttachment),
    history: historyOf(row, details, notes),
  };
}

function viewAttachment(attachment: ActionDetails["attachments"][number]): ActionAttachment {
  if ("text" in attachment) return { label: attachment.label, text: attachment.text };
  return { label: attachment.label, taskName: attachment.log, taskRunRef: attachment.taskRunId ?? null };
}

function historyOf(row: ActionRow, { decidedAt }: ActionDetails, notes: readonly ActionNoteRow[]): ActionHistoryEntry[] {
  const votes = row.votes.map(({ principal, name, approved, comments, values, at }): ActionHistoryEntry => {
    return { kind: "vote", date: at, ...by({ principal, name, comments }), approved, ...(values && { values }) };
  });
  const written = notes.map(({ kind, at, delegateName, delegateIds, ...who }): ActionHistoryEntry => {
    const to = delegateName === null ? {} : { delegatedTo: delegateName, delegateRefs: delegateIds ?? [] };
    return { kind, date: at.toISOString(), ...by(who), ...to };
  });
  const all = [...votes, ...written, ...remindersOf(row), ...escalationOf(row)].sort((one, other) => (one.date < other.date ? -1 : 1));
  const isCancelled = row.status === "cancelled" && decidedAt !== null;
  return [
    { kind: "opened", date: row.createdAt.toISOString() },
    ...all,
    ...(isCancelled ? [{ kind: "cancelled" as const, date: decidedAt.toISOString() }] : []),
  ];
}

function by({ principal, name, comments }: Pick<ActionNoteRow, "principal" | "name" | "comments">) {
  return { principalId: idOf(principal), ...(name && { principalName: name }), ...(comments && { comments }) };
}

/** As a single entry, because there may be very many. */
function remindersOf({ createdAt, reminderMinutes, remindersDue }: ActionRow): ActionHistoryEntry[] {
  if (remindersDue === 0 || reminderMinutes === null) return [];
  const last = new Date(createdAt.getTime() + remindersDue * reminderMinutes * 60_000);
  return [{ kind: "reminder", date: last.toISOString(), count: remindersDue }];
}

function escalationOf({ escalatedAt, escalationGroupName }: ActionRow): ActionHistoryEntry[] {
  if (escalatedAt === null) return [];
  return [
    { kind: "escalation", date: escalatedAt.toISOString(), ...(escalationGroupName !== null && { escalatedTo: escalationGroupName }) },
  ];
}

/** The principal as a voter on actions of that team. */
export function voterOf(principal: Principal, teamId: string): Voter {
  const { id, name, email, userId } = principal;
  return { id, name, email: email ?? null, userId, tokenId: votingToken(principal), reach: votingReach(principal, teamId) };
}

/** The token that the principal uses; a session is the person. */
function votingToken({ kind, tokenId, id, userId }: Principal): string | undefined {
  if (kind === "session") return undefined;
  return tokenId ?? (userId === undefined ? id : undefined);
}

/** Which of the open actions of these teams wait for the principal. */
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
