import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import type { Queryable } from "../database/database.ts";
import { holdSubmissions } from "../team/team-limits.ts";

interface RunEventRow {
  status: "succeeded" | "failed";
  payload: unknown;
}

/** The newest callback on that topic: a later one corrects an earlier one. */
export async function findNewestEvent(db: Queryable, teamId: string, runId: string, topic: string): Promise<RunEventRow | undefined> {
  const [row] = await db<RunEventRow[]>`
    select status, payload from run_event where team_id = ${teamId} and run_id = ${runId} and topic = ${topic} order by id desc limit 1`;
  return row;
}

export interface NewEvent {
  teamId: string;
  runId: string;
  topic: string;
  status: "succeeded" | "failed";
  /** Undefined: it has no payload. */
  payload: unknown;
}

/** Stores a callback, unless the newest one on its topic is equal: unreliable networks deliver twice. */
export async function insertEvent(db: Queryable, { teamId, runId, topic, status, payload }: NewEvent): Promise<void> {
  const text = payloadText(payload);
  await db`
    insert into run_event (team_id, run_id, topic, status, payload)
    select ${teamId}, ${runId}, ${topic}, ${status}, ${text}::json
    where not exists (
      select from (
        select e.status, e.payload::text as payload from run_event e
        where e.team_id = ${teamId} and e.run_id = ${runId} and e.topic = ${topic} order by e.id desc limit 1
      ) newest
      where newest.status = ${status} and newest.payload is not distinct from ${text})`;
}

/** Has this run received the same callback before? The payload is compared byte for byte. */
export async function hasEvent(db: Queryable, { teamId, runId, topic, status, payload }: NewEvent): Promise<boolean> {
  const rows = await db`
    select 1 from run_event
    where team_id = ${teamId} and run_id = ${runId} and topic = ${topic} and status = ${status}
      and payload::text is not distinct from ${payloadText(payload)}
    limit 1`;
  return rows.length > 0;
}

function payloadText(payload: unknown): string | null {
  return payload === undefined ? null : JSON.stringify(payload);
}

/** The end of a run in the form of its change event (store/functions/note-run-changes.sql), which may be dispatched and deleted already. */
export async function findRunEndEvent(db: Queryable, teamId: string, runId: string): Promise<ChangeEvent | undefined> {
  const [row] = await db<ChangeEvent[]>`
    select new_id() as id, 0 as seq, r.team_id as "teamId", 'workflowrun' as kind, r.status, r.id as "objectId", r.id as "laneId",
      t.name as "teamName", w.id as "workflowId", w.name as "workflowName", r.labels ->> 'initiatorContext' as "initiatorContext",
      lineage_after(r.lineage, r.workflow_id) as lineage,
      r.ended_at as at, run_event_data(r, w.name, w.display_name) as data
    from run r join team t on t.id = r.team_id left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where r.id = ${runId} and (r.team_id = ${teamId}) is true and r.ended_at is not null`;
  return row;
}

/**
 * Cancels all open runs of a team, or of one workflow of it (indexes run_queued and run_running), as soon as the engine polls, including
 * those being submitted by transactions that have not ended. What is deleted must be hidden before.
 */
export async function signalOpenRuns(
  db: Queryable,
  { teamId, workflowId }: { teamId: string; workflowId?: string },
  message: string,
): Promise<void> {
  await holdSubmissions(db, teamId);
  await db`
    insert into run_signal (team_id, run_id, kind, data)
    select r.team_id, r.id, 'cancel', ${JSON.stringify({ message })}::json
    from run r where r.team_id = ${teamId} and r.phase in ('pending', 'queued', 'running')
      ${workflowId === undefined ? db`` : db`and r.workflow_id = ${workflowId}`}`;
}

/** @returns false if someone else has already processed it */
export async function deleteSignal(db: Queryable, teamId: string, id: number): Promise<boolean> {
  const rows = await db`delete from run_signal where team_id = ${teamId} and id = ${id} returning 1`;
  return rows.length > 0;
}
