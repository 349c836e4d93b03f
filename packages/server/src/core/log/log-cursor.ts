/**
 * A place in the log of a task run: everything before that line of that chunk of that attempt was read. Chunks are numbered from 0
 * within an attempt. As text it is what readers hand back to go on from there.
 */
export interface LogCursor {
  attempt: number;
  seq: number;
  line: number;
}

export const logStart: LogCursor = { attempt: 0, seq: 0, line: 0 };

export function writeLogCursor({ attempt, seq, line }: LogCursor): string {
  return `${attempt}.${seq}.${line}`;
}

/** Undefined when it is none. */
export function readLogCursor(text: string): LogCursor | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text);
  if (!match) return undefined;
  return { attempt: Number(match[1]), seq: Number(match[2]), line: Number(match[3]) };
}
