import { textParam } from "../core/task/task-type.ts";

/** What approvals and manual tasks have in common: how long people have, when they are reminded, and who is left out. */
export interface ActionTerms {
  /** From the opening of the action; null: only the timeouts of task and run hold. */
  deadlineMinutes: number | null;
  /** A reminder is due each time that many minutes have passed; null: none. */
  reminderMinutes: number | null;
  /** Who started the run may not vote. */
  barsRequester: boolean;
}

/** A year. */
const maxMinutes = 525_600;

/** From the parameters `deadline`, `reminder` and `requesterMayNotApprove`; a sentence when one of them can't be read. */
export function readActionTerms(params: ReadonlyMap<string, unknown>): ActionTerms | string {
  const deadlineMinutes = minutes(params, "deadline");
  const reminderMinutes = minutes(params, "reminder");
  const unreadable = [["deadline", deadlineMinutes] as const, ["reminder", reminderMinutes] as const].find(
    ([, value]) => value === undefined,
  );
  if (unreadable) return `Parameter "${unreadable[0]}" must be a whole number of minutes from 1 to ${maxMinutes}`;
  const barsRequester = words.get((textParam(params, "requesterMayNotApprove") ?? "false").trim().toLowerCase());
  if (barsRequester === undefined) return 'Parameter "requesterMayNotApprove" must be true or false';
  return { deadlineMinutes: deadlineMinutes ?? null, reminderMinutes: reminderMinutes ?? null, barsRequester };
}

const words: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Null when it is not given, undefined when it is no such number. */
function minutes(params: ReadonlyMap<string, unknown>, name: string): number | null | undefined {
  const text = textParam(params, name)?.trim();
  if (text === undefined || text === "") return null;
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= maxMinutes ? value : undefined;
}
