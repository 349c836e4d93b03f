import { styleText } from "node:util";
import { plainLine } from "./plain-text.ts";

/**
 * The properties of standard output. When it is piped there are no colors, nothing is cut, and nothing but the requested output is printed.
 */

type Color = "green" | "yellow" | "red" | "cyan" | "dim" | "bold";

export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** NO_COLOR and TERM=dumb mean no colors. */
export function hasColors(): boolean {
  return isTerminal() && process.stdout.hasColors();
}

export function paint(color: Color, text: string): string {
  // This code decides about colors, not `styleText`'s own detection.
  return hasColors() ? styleText(color, text, { validateStream: false }) : text;
}

/** Information for people, on standard error, so that it isn't part of piped output. */
export function notify(text: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`${text}\n`);
}

export function write(text: string): void {
  process.stdout.write(text.endsWith("\n") || text === "" ? text : `${text}\n`);
}

const colorOfStatus: Readonly<Record<string, Color>> = {
  succeeded: "green",
  approved: "green",
  active: "green",
  failed: "red",
  invalid: "red",
  timedout: "red",
  rejected: "red",
  error: "red",
  running: "cyan",
  waiting: "yellow",
  ready: "yellow",
  submitted: "yellow",
  cancelled: "dim",
  skipped: "dim",
  notstarted: "dim",
  inactive: "dim",
};

/** @param status from the service, so it can be any text */
export function paintStatus(given: string): string {
  const status = plainLine(given);
  const color = colorOfStatus[status.trim()];
  return color === undefined ? status : paint(color, status);
}
