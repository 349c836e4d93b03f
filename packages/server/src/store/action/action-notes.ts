import type { ActionAttachment } from "../../core/task/task-type.ts";
import type { Queryable } from "../database/database.ts";

/** What people did with actions besides voting: comments, and delegations of votes. Also what is read for a single action only. */

export interface ActionNoteRow {
  kind: "comment" | "delegation";
  /** Who did it: `user:<id>` or `token:<id>`. */
  principal: string;
  name: string | null;
  email: string | null;
  comments: string | null;
  /** For a delegation: the name of the person or the group at that time. */
  delegateName: string | null;
  delegateGroupId: string | null;
  delegateIds: string[] | null;
  at: Date;
}

type NewNote = Omit<ActionNoteRow, "at">;

export async function insertActionNote(db: Queryable, teamId: string, actionId: string, note: NewNote): Promise<void> {
  const { kind, principal, name, email, comments, delegateName, delegateGroupId, delegateIds } = note;
  await db`
    insert into action_note (team_id, action_id, kind, principal, name, email, comments, delegate_name, delegate_group_id, delegate_ids)
    values (${teamId}, ${actionId}, ${kind}, ${principal}, ${name}, ${email}, ${comments}, ${delegateName}, ${delegateGroupId}, ${delegateIds})`;
}

/** In the order in which they were written (primary key). */
export async function listActionNotes(db: Queryable, teamId: string, actionId: string): Promise<ActionNoteRow[]> {
  return db<ActionNoteRow[]>`
    select kind, principal, name, email, comments, delegate_name as "delegateName", delegate_group_id as "delegateGroupId",
      delegate_ids as "delegateIds", at
    from action_note where team_id = ${teamId} and action_id = ${actionId} order by id`;
}

export async function countActionNotes(db: Queryable, teamId: string, actionId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from action_note where team_id = ${teamId} and action_id = ${actionId}`;
  return row!.count;
}

/** Moves the vote of one person to others. Call it under the lock of the action's run, like votes. */
export async function moveVote(db: Queryable, teamId: string, actionId: string, from: string, to: readonly string[]): Promise<void> {
  await db`
    update action set
      delegator_ids = array(select unnest(delegator_ids) except select unnest(${[...to]}::uuid[]) union select ${from}::uuid),
      delegate_ids = array(select unnest(delegate_ids) except select ${from}::uuid union select unnest(${[...to]}::uuid[]))
    where team_id = ${teamId} and id = ${actionId}`;
}

/** When it was closed (null while it is open), and its attachments, each with the id of the task run whose log it is, if any. */
export interface ActionDetails {
  decidedAt: Date | null;
  attachments: (ActionAttachment & { taskRunId?: string | null })[];
}

export async function readActionDetails(db: Queryable, teamId: string, actionId: string): Promise<ActionDetails | undefined> {
  const [row] = await db<{ decidedAt: Date | null; attachments: ActionAttachment[] | null; tasks: Record<string, string> }[]>`
    select a.decided_at as "decidedAt", a.attachments, coalesce((
      select json_object_agg(t.name, t.id) from task_run t
      where t.team_id = a.team_id and t.run_id = a.run_id and t.item is null
        and t.name in (select one ->> 'log' from json_array_elements(a.attachments) as one)), '{}'::json) as tasks
    from action a where a.team_id = ${teamId} and a.id = ${actionId}`;
  if (row === undefined) return undefined;
  const { decidedAt, attachments, tasks } = row;
  const named = (attachments ?? []).map((one) => ("log" in one ? { ...one, taskRunId: tasks[one.log] ?? null } : one));
  return { decidedAt, attachments: named };
}
