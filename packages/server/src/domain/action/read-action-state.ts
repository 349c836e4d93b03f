import type { ActionState } from "../../core/chat/event-message.ts";
import { listActionNotes } from "../../store/action/action-notes.ts";
import type { ActionRow } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";

/** An action as it stands, for messages about it. */
export async function readActionState(db: Queryable, teamId: string, row: ActionRow): Promise<ActionState> {
  const notes = await listActionNotes(db, teamId, row.id);
  return {
    status: row.status,
    votes: row.votes.map(({ name, principal, approved, comments }) => ({ name: name ?? principal, approved, comments })),
    links: row.form?.links ?? [],
    fieldCount: row.form?.fields.length ?? 0,
    notes: notes.map(({ name, principal, delegateName, comments }) => ({ name: name ?? principal, delegatedTo: delegateName, comments })),
  };
}
