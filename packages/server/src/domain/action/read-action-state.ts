import type { ActionState } from "../../core/chat/event-message.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import { listActionNotes, readActionDetails } from "../../store/action/action-notes.ts";
import { type ActionRow, listActionsById } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";

/** The current state of an action, for messages about it. */
export async function readActionState(db: Queryable, teamId: string, row: ActionRow): Promise<ActionState> {
  const notes = await listActionNotes(db, teamId, row.id);
  const details = await readActionDetails(db, teamId, row.id);
  return {
    status: row.status,
    votes: row.votes.map(({ name, principal, approved, comments }) => ({ name: name ?? principal, approved, comments })),
    links: row.form?.links ?? [],
    fields: (row.form?.fields ?? []).map(({ name, label }) => label || name),
    attachments: (details?.attachments ?? []).map(({ label, taskRunId }) => ({ label, taskRunId: taskRunId ?? null })),
    escalatedTo: row.escalatedAt === null ? null : (row.escalationGroupName ?? "another group"),
    notes: notes.map(({ name, principal, delegateName, comments }) => ({ name: name ?? principal, delegatedTo: delegateName, comments })),
  };
}

/** The action that an event is about. Undefined for other events, and if the action no longer exists. */
export async function readActionOfEvent(db: Queryable, { kind, teamId, objectId }: ChangeEvent): Promise<ActionState | undefined> {
  if (kind !== "action" || teamId === null) return undefined;
  const [row] = await listActionsById(db, teamId, [objectId]);
  return row && readActionState(db, teamId, row);
}
