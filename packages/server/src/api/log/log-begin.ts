import { AppError } from "../../base/error/app-error.ts";
import { type LogCursor, logStart, readLogCursor } from "../../core/log/log-lines.ts";
import { findPlace, type LogSource } from "./log-source.ts";

/** Where a reader wants to begin: at most one of them is set. */
export interface WantedBegin {
  after?: string;
  fromLine?: number;
  tail?: number;
}

export interface LogBegin {
  cursor: LogCursor;
  /** Known only where it was asked by number: counting costs a check of all chunks. */
  numbers?: { firstLine: number; totalLines: number };
}

/** The position where reading begins. Nothing before it is decoded. */
export async function findLogBegin(source: LogSource, wanted: WantedBegin): Promise<LogBegin> {
  refuseTwo(wanted);
  const { after, fromLine, tail } = wanted;
  if (after !== undefined) return { cursor: cursorOf(after) };
  if (fromLine === undefined && tail === undefined) return { cursor: logStart };
  const found = await findPlace(source, tail === undefined ? { line: (fromLine ?? 1) - 1 } : { fromEnd: tail });
  const totalLines = found?.total ?? 0;
  const line = tail === undefined ? (fromLine ?? 1) - 1 : Math.max(0, totalLines - tail);
  if (line > totalLines) throw new AppError("BAD_REQUEST", [beyondTheEnd(line + 1, totalLines)]);
  return { cursor: found === undefined ? logStart : cursorIn(found, line), numbers: { firstLine: line + 1, totalLines } };
}

/** After its last chunk if the line is the next one to come. */
function cursorIn({ attempt, seq, before, upTo }: { attempt: number; seq: number; before: number; upTo: number }, line: number): LogCursor {
  return line < upTo ? { attempt, seq, line: line - before } : { attempt, seq: seq + 1, line: 0 };
}

function refuseTwo(wanted: WantedBegin): void {
  const given = (["after", "fromLine", "tail"] as const).filter((name) => wanted[name] !== undefined);
  if (given.length < 2) return;
  const said = given.map((name) => `${name} (${JSON.stringify(wanted[name])})`).join(" and ");
  throw new AppError("BAD_REQUEST", [`${said} both say where to start; give only one`]);
}

function cursorOf(after: string): LogCursor {
  const cursor = readLogCursor(after);
  if (!cursor) throw new AppError("BAD_REQUEST", [`after is ${JSON.stringify(after)}; it must be the "next" of an earlier response`]);
  return cursor;
}

function beyondTheEnd(fromLine: number, total: number): string {
  return `fromLine is ${fromLine}, and the log has ${total} lines so far; give 1 to ${total + 1}, or tail=N for the last N lines`;
}
