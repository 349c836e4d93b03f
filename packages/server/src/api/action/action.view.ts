import type { Action, Actioner } from "@millrace/contract/action.ts";
import type { ActionRow, VoteRow } from "../../store/action/actions.ts";

export function viewAction(row: ActionRow, teamName: string): Action {
  return {
    id: row.id,
    workflowRef: row.workflowId,
    workflowName: row.workflowName,
    workflowRunRef: row.runId,
    taskRunRef: row.taskRunId,
    taskName: row.taskName,
    teamName,
    type: row.type,
    status: row.status,
    instructions: row.instructions,
    creationDate: row.createdAt.toISOString(),
    deadline: row.deadlineAt?.toISOString() ?? null,
    reminder: row.reminderMinutes,
    reminderDate: nextReminder(row)?.toISOString() ?? null,
    reminderCount: row.remindersDue,
    requesterMayNotApprove: row.barsRequester,
    numberOfApprovers: row.approversWanted,
    approvalsRequired: row.approversWanted,
    numberOfApprovals: row.votes.filter(({ approved }) => approved).length,
    approverGroupRef: row.approverGroupId,
    approverGroupName: row.approverGroupName,
    approverRefs: row.voterIds,
    actioners: row.votes.map(viewVote),
  };
}

/** None once the action is over, or when the wait ends before. */
function nextReminder({ status, createdAt, reminderMinutes, remindersDue, deadlineAt }: ActionRow): Date | undefined {
  if (status !== "submitted" || reminderMinutes === null) return undefined;
  const next = new Date(createdAt.getTime() + (remindersDue + 1) * reminderMinutes * 60_000);
  return deadlineAt !== null && next >= deadlineAt ? undefined : next;
}

/** A person goes by the id of the user; a token that acted as itself by `token:<id>`. */
function viewVote({ principal, name, email, approved, comments, at }: VoteRow): Actioner {
  return {
    approverId: principal.replace(/^user:/, ""),
    ...(name && { approverName: name }),
    ...(email && { approverEmail: email }),
    ...(comments && { comments }),
    date: at,
    approved,
  };
}
