import type { Queryable } from "../database/database.ts";

export interface LogChunk {
  teamId: string;
  taskRunId: string;
  attempt: number;
  /** From 0 within the attempt. */
  seq: number;
  firstLine: number;
  lineCount: number;
  rawBytes: number;
  /** Raw deflate of blocks of lines (core/log/log-lines.ts). */
  data: Uint8Array;
}

/**
 * Many chunks of many task runs in one round trip. Bytes are sent as base64, because the client can't send a list of byte strings. Lines of
 * an attempt arrive too late if another one has replaced it and ended the task run: the log of that task run is complete, and stays so. The
 * same holds after its log was moved to the log store.
 *
 * @returns how many were stored
 */
export async function insertLogChunks(db: Queryable, chunks: readonly LogChunk[]): Promise<number> {
  const { count } = await db`
    insert into log_chunk (team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data)
    select c.team_id, c.task_run_id, c.attempt, c.seq, c.first_line, c.line_count, c.raw_bytes, decode(c.data, 'base64')
    from (select * from unnest(${chunks.map((chunk) => chunk.teamId)}::uuid[], ${chunks.map((chunk) => chunk.taskRunId)}::uuid[],
      ${chunks.map((chunk) => chunk.attempt)}::int[], ${chunks.map((chunk) => chunk.seq)}::int[],
      ${chunks.map((chunk) => chunk.firstLine)}::bigint[], ${chunks.map((chunk) => chunk.lineCount)}::int[],
      ${chunks.map((chunk) => chunk.rawBytes)}::int[], ${chunks.map((chunk) => Buffer.from(chunk.data).toString("base64"))}::text[])
      as u(team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data) limit ${chunks.length}) c
    where not exists (
      select from task_run t
      where t.id = c.task_run_id and (t.team_id = c.team_id) is true and t.attempt > c.attempt and t.phase = 'completed')
      and not exists (
        select from log_object o where o.team_id = c.team_id and o.task_run_id = c.task_run_id and o.attempt = c.attempt)`;
  return count;
}

/**
 * Chunks after a position, in order: by attempt, then by number within it. A chunk is stored twice if the response to its insert was lost
 * and it was sent again; both are equal.
 *
 * @param limit so many chunks, and none after the one with which they have so many bytes of text
 */
export async function listLogChunks(
  db: Queryable,
  teamId: string,
  taskRunId: string,
  after: { attempt: number; seq: number },
  limit: { chunks: number; bytes: number },
): Promise<Pick<LogChunk, "attempt" | "seq" | "lineCount" | "rawBytes" | "data">[]> {
  return db<Pick<LogChunk, "attempt" | "seq" | "lineCount" | "rawBytes" | "data">[]>`
    select attempt, seq, line_count as "lineCount", raw_bytes as "rawBytes", data
    from (
      select attempt, seq, line_count, raw_bytes, data, sum(raw_bytes) over (order by attempt, seq) - raw_bytes as bytes_before
      from (
        select distinct on (attempt, seq) attempt, seq, line_count, raw_bytes, data from log_chunk
        where team_id = ${teamId} and task_run_id = ${taskRunId} and (attempt, seq) > (${after.attempt}, ${after.seq})
        order by attempt, seq limit ${limit.chunks}
      ) as once
    ) as counted
    where bytes_before < ${limit.bytes} order by attempt, seq`;
}

/** Of all chunks of a log, in order. */
export async function listChunkLines(
  db: Queryable,
  teamId: string,
  taskRunId: string,
): Promise<Pick<LogChunk, "attempt" | "seq" | "lineCount">[]> {
  return db<Pick<LogChunk, "attempt" | "seq" | "lineCount">[]>`
    select distinct on (attempt, seq) attempt, seq, line_count as "lineCount" from log_chunk
    where team_id = ${teamId} and task_run_id = ${taskRunId} order by attempt, seq`;
}

/** The position of a line in a log, and how many lines there are so far. Lines are counted over all attempts from 0. */
export interface LogPlaceRow {
  attempt: number;
  seq: number;
  /** Lines of the log before that chunk, and including it. */
  before: number;
  upTo: number;
  total: number;
}

/**
 * The chunk with that line, or with the line at that distance from the end; the last chunk if there is no such line, and undefined if there
 * are no chunks. No line is decoded, because chunks know how many they have. The line that is inserted before each attempt except the first
 * counts, too.
 */
export async function findLogPlace(
  db: Queryable,
  teamId: string,
  taskRunId: string,
  wanted: { line: number } | { fromEnd: number },
): Promise<LogPlaceRow | undefined> {
  const line = "line" in wanted ? db`${wanted.line}::int` : db`greatest(0, total - ${wanted.fromEnd}::int)`;
  const [row] = await db<LogPlaceRow[]>`
    with chunk as (
      select distinct on (attempt, seq) attempt, seq, line_count + case when attempt > 1 and seq = 0 then 1 else 0 end as lines
      from log_chunk where team_id = ${teamId} and task_run_id = ${taskRunId} order by attempt, seq
    ), counted as (
      select attempt, seq, lines, (sum(lines) over (order by attempt, seq))::int as "upTo", (sum(lines) over ())::int as total from chunk
    )
    select attempt, seq, "upTo" - lines as before, "upTo", total from counted
    where "upTo" > ${line} or "upTo" = total order by attempt, seq limit 1`;
  return row;
}

/** Did the run end so many days ago, and is no line of this task run left? Then it is unknown whether its program printed any. */
export async function isLogGone(db: Queryable, teamId: string, taskRunId: string, days: number): Promise<boolean> {
  const [row] = await db<{ gone: boolean }[]>`
    select not exists (select from log_chunk c where c.team_id = t.team_id and c.task_run_id = t.id)
      and not exists (select from log_object o where o.team_id = t.team_id and o.task_run_id = t.id) as gone
    from task_run t join run r on r.team_id = t.team_id and r.id = t.run_id
    where t.team_id = ${teamId} and t.id = ${taskRunId} and t.executor is not null and r.ended_at < (select db_now()) - make_interval(days => ${days})`;
  return row?.gone === true;
}
