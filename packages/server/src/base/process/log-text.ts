import { styleText } from "node:util";
import type { DestinationStream } from "pino";
import { escapeMarks, type LogLevel } from "./log.ts";

/**
 * The log for people: `12:00:03 warn  attempt lost runId=019… status=lost`, with an error below its line. Text from outside stays escaped
 * like in JSON, so it can neither begin a line of its own nor send commands to the terminal. (The pretty printer that comes with the
 * library doesn't escape such text.)
 */

/** The destination of the log: standard output. */
interface LogOutput {
  isTTY?: boolean;
  /** Respects NO_COLOR; only a terminal has it. */
  hasColors?(): boolean;
  write(text: string): unknown;
}

/** @returns undefined for JSON, which the library writes itself */
export function openLogOutput(format: "auto" | "json" | "text", out: LogOutput): DestinationStream | undefined {
  if (format === "json" || (format === "auto" && out.isTTY !== true)) return undefined;
  const paint: Paint = out.hasColors?.() ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
  return { write: (line: string) => void out.write(describeLine(line, paint)) };
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const styles: Partial<Record<LogLevel, Style>> = { warn: "yellow", error: "red", fatal: "red" };

/** @param line of JSON, as createLog writes it. Any other line is shown escaped: a log must not end the process. */
export function describeLine(line: string, paint: Paint = (_, text) => text): string {
  const parsed = parse(line);
  if (parsed === undefined) return `${quote(line.trimEnd(), true)}\n`;
  const { level, time, msg, err, ...fields } = parsed;
  const style = Object.hasOwn(styles, String(level)) ? styles[level as LogLevel]! : "dim";
  const described = Object.entries(fields).map(([name, value]) => paint("dim", `${quote(name)}=`) + quote(value));
  const words = [
    paint("dim", quote(String(time).slice(11, 23), true)),
    paint(style, quote(String(level), true).padEnd(5)),
    quote(msg, true),
    ...described,
  ];
  return `${words.join(" ")}\n${describeError(err)}`;
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

interface DescribedError {
  type: string;
  message: string;
  stack?: string;
  cause?: DescribedError;
}

function describeError(err: unknown, word = ""): string {
  if (typeof err !== "object" || err === null) return "";
  const { type, message, stack, cause } = err as DescribedError;
  const frames = String(stack ?? "")
    .split("\n")
    .filter((frame) => /^\s+at /.test(frame));
  const lines = [`${word}${type}: ${message}`, ...frames].map((text) => `    ${quote(text.trim(), true)}\n`);
  return lines.join("") + describeError(cause, "caused by ");
}

/** Plain words unchanged, everything else as JSON: one line in any case. */
function quote(value: unknown, isSentence = false): string {
  const text = JSON.stringify(value) ?? "";
  const isPlain = typeof value === "string" && (isSentence || /^[\w.:/@+-]+$/.test(value));
  return escapeMarks(isPlain ? text.slice(1, -1).replaceAll('\\"', '"') : text);
}
