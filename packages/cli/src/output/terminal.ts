import { styleText } from "node:util";
import { plainLine } from "./plain-text.ts";

/** What standard output is. When it is piped there are no colors, nothing is cut, and nothing is said besides what was asked for. */

type Color = "green" | "yellow" | "red" | "cyan" | "dim" | "bold";

export function isTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** NO_COLOR and TERM=dumb count as having none. */
export function hasColors(): boolean {
  return isTerminal() && process.stdout.hasColors();
}

export function paint(color: Color, text: string): string {
  // Whether there are colors was decided here, and not by what `styleText` finds out about standard output.
  return hasColors() ? styleText(color, text, { validateStream: false }) : text;
}

/** For people who watch: on standard error, so that it is in no pipe. */
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

/** @param status of the service, which could be any text */
export function paintStatus(given: string): string {
  const status = plainLine(given);
  const color = colorOfStatus[status.trim()];
  return color === undefined ? status : paint(color, status);
}
