import { type ActionMessage, buildActionMessage, type ChatMessage } from "../../core/chat/action-message.ts";
import { runLink } from "../../core/chat/run-link.ts";
import type { ActionRow } from "../../store/action/actions.ts";

/** The message about an action, as it stands now. */
export function viewActionMessage(row: ActionRow, teamName: string, publicUrl: string): ChatMessage {
  const message: ActionMessage = {
    id: row.id,
    type: row.type,
    status: row.status,
    taskName: row.taskName,
    workflowName: row.workflowName,
    teamName,
    instructions: row.instructions,
    approvalsRequired: row.approversWanted,
    deadline: row.deadlineAt?.toISOString() ?? null,
    runLink: runLink(publicUrl, teamName, row.runId),
    votes: row.votes.map(({ name, principal, approved, comments }) => ({ name: name ?? principal, approved, comments })),
  };
  return buildActionMessage(message);
}
