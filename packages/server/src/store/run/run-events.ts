import type { Queryable } from "../database/database.ts";

export interface RunEventRow {
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
  /** Undefined: none came with it. */
  payload: unknown;
}

/** Keeps a callback, unless the newest one on its topic says the same: deliveries come twice where networks fail. */
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

/** Has this run received the same callback before? The payload is compared to the letter. */
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
