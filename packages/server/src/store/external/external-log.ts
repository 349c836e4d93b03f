import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type { Queryable } from "../database/database.ts";

const deflate = promisify(deflateRaw);

/** Lines of an attempt as a chunk without a number yet. */
export interface NewChunk {
  taskRunId: string;
  attempt: number;
  lineCount: number;
  /** Blocks of lines (core/log/log-line.ts). */
  blocks: Buffer;
}

/**
 * Appends to the logs of running attempts (schema: append_log).
 * @param chunks one for each attempt, in the order of the task runs' ids
 * @returns whether each was stored
 */
export async function insertLines(db: Queryable, teamId: string, chunks: readonly NewChunk[]): Promise<boolean[]> {
  if (chunks.length === 0) return [];
  const packed = await Promise.all(chunks.map(({ blocks }) => deflate(blocks, { level: 1 })));
  const [row] = await db<{ stored: boolean[] }[]>`
    select append_log(${teamId}, ${chunks.map((chunk) => chunk.taskRunId)}::uuid[], ${chunks.map((chunk) => chunk.attempt)}::int[],
      ${chunks.map((chunk) => chunk.lineCount)}::int[], ${chunks.map((chunk) => chunk.blocks.length)}::int[],
      ${packed.map((data) => data.toString("base64"))}::text[]) as stored`;
  return row?.stored ?? [];
}

/** Bytes of text that are stored for an attempt. */
export async function countLogBytes(db: Queryable, teamId: string, taskRunId: string, attempt: number): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`
    select coalesce(sum(raw_bytes), 0)::float8 as bytes from log_chunk
    where team_id = ${teamId} and task_run_id = ${taskRunId} and attempt = ${attempt}`;
  return row?.bytes ?? 0;
}
