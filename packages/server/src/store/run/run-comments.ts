import type { Queryable, Transaction } from "../database/database.ts";

export interface RunCommentRow {
  id: string;
  text: string;
  createdBy: string;
  creatorName: string;
  createdAt: Date;
}

const columns = (db: Queryable) =>
  db`c.id, c.text, c.created_by as "createdBy", c.creator_name as "creatorName", c.created_at as "createdAt"`;

/** The oldest first. */
export async function listComments(
  db: Queryable,
  { teamId, runId }: { teamId: string; runId: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<RunCommentRow[]> {
  return db<RunCommentRow[]>`
    select ${columns(db)} from run_comment c where c.team_id = ${teamId} and c.run_id = ${runId} order by c.id limit ${limit} offset ${offset}`;
}

export async function findComment(db: Queryable, teamId: string, runId: string, id: string): Promise<RunCommentRow | undefined> {
  const [row] = await db<RunCommentRow[]>`
    select ${columns(db)} from run_comment c where c.team_id = ${teamId} and c.run_id = ${runId} and c.id = ${id}`;
  return row;
}

/**
 * Until the end of the transaction the run is not removed, and nobody else comments on it.
 * @returns false if it no longer exists
 */
export async function lockRunForNotes(tx: Transaction, teamId: string, runId: string): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtextextended('millrace.run-comment ' || ${runId}::text, 0))`;
  const rows = await tx`select from run where id = ${runId} and (team_id = ${teamId}) is true for key share`;
  return rows.length > 0;
}

export interface NewNote {
  teamId: string;
  runId: string;
  by: { id: string; name: string };
}

export async function countComments(db: Queryable, teamId: string, runId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from run_comment where team_id = ${teamId} and run_id = ${runId}`;
  return row!.count;
}

export async function insertComment(tx: Transaction, { teamId, runId, by, text }: NewNote & { text: string }): Promise<RunCommentRow> {
  const [row] = await tx<RunCommentRow[]>`
    insert into run_comment as c (team_id, run_id, text, created_by, creator_name)
    values (${teamId}, ${runId}, ${text}, ${by.id}, ${by.name}) returning ${columns(tx)}`;
  return row!;
}

export async function deleteComment(db: Queryable, teamId: string, id: string): Promise<void> {
  await db`delete from run_comment where team_id = ${teamId} and id = ${id}`;
}

/** The last person who acknowledged it is the one in charge. */
export async function saveAcknowledgement(tx: Transaction, { teamId, runId, by, text }: NewNote & { text: string | null }): Promise<void> {
  await tx`
    insert into run_acknowledgement (team_id, run_id, text, created_by, creator_name) values (${teamId}, ${runId}, ${text}, ${by.id}, ${by.name})
    on conflict (team_id, run_id) do update set text = excluded.text, created_by = excluded.created_by, creator_name = excluded.creator_name,
      created_at = (select db_now())`;
}

/** @returns false if nobody had acknowledged it */
export async function deleteAcknowledgement(db: Queryable, teamId: string, runId: string): Promise<boolean> {
  const { count } = await db`delete from run_acknowledgement where team_id = ${teamId} and run_id = ${runId}`;
  return count > 0;
}
