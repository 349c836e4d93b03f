import { textParam } from "../task/task-type.ts";

/** What approvals and manual tasks have in common: how long people have, when they are reminded, who else may vote, and who may not. */
export interface ActionRules {
  /** From the opening of the action; null: only the timeouts of task and run apply. */
  deadlineMinutes: number | null;
  /** Minutes between reminders; null: none. */
  reminderMinutes: number | null;
  /** After how many minutes which group (its ID or name) may vote as well. */
  escalation: { minutes: number; to: string } | null;
  /** The person who started the run may not vote. */
  barsRequester: boolean;
}

type Params = ReadonlyMap<string, unknown>;

/** A year. */
const maxMinutes = 525_600;
/** Every list of actions shows the instructions. */
const maxInstructionsLength = 20_000;
const maxApprovers = 100;

/**
 * From the parameters `deadline`, `reminder`, `escalateAfter`, `escalateTo` and `requesterMayNotApprove`.
 * @param later parameters whose values only a run knows: nothing is compared with them
 * @returns a sentence if one is invalid
 */
export function readActionRules(params: Params, later: ReadonlySet<string> = new Set()): ActionRules | string {
  const deadlineMinutes = minutes(params, "deadline");
  const reminderMinutes = minutes(params, "reminder");
  const escalateMinutes = minutes(params, "escalateAfter");
  const read = { deadline: deadlineMinutes, reminder: reminderMinutes, escalateAfter: escalateMinutes };
  const unreadable = Object.entries(read).find(([, value]) => value === undefined);
  if (unreadable) return `Parameter "${unreadable[0]}" must be a whole number of minutes from 1 to ${maxMinutes}`;
  const barsRequester = words.get((textParam(params, "requesterMayNotApprove") ?? "false").trim().toLowerCase());
  if (barsRequester === undefined) return 'Parameter "requesterMayNotApprove" must be true or false';
  const to = textParam(params, "escalateTo")?.trim() || undefined;
  const isKnown = !later.has("escalateAfter") && !later.has("escalateTo");
  if (isKnown && (to === undefined) !== (escalateMinutes === null))
    return 'Parameters "escalateAfter" and "escalateTo" must be given together';
  if (deadlineMinutes && escalateMinutes && escalateMinutes >= deadlineMinutes)
    return `Parameter "escalateAfter" is ${escalateMinutes}, and must be less than "deadline", which is ${deadlineMinutes}`;
  const escalation = to && escalateMinutes ? { minutes: escalateMinutes, to } : null;
  return { deadlineMinutes: deadlineMinutes ?? null, reminderMinutes: reminderMinutes ?? null, escalation, barsRequester };
}

const words: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Null if it is not given, undefined if it is no such number. */
function minutes(params: Params, name: string): number | null | undefined {
  const text = textParam(params, name)?.trim();
  if (text === undefined || text === "") return null;
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= maxMinutes ? value : undefined;
}

/** How many people have to approve. Older definitions say `numberOfApprovals`. @returns a sentence if it is invalid */
export function readApproversWanted(params: Params): number | string {
  const text = textParam(params, "numberOfApprovers") ?? textParam(params, "numberOfApprovals") ?? "1";
  const wanted = Number(text);
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= maxApprovers) return wanted;
  return `Parameter "numberOfApprovers" must be a whole number from 1 to ${maxApprovers}`;
}

/** Why the instructions can't be shown; undefined if they can. */
export function instructionsFault(params: Params): string | undefined {
  const length = textParam(params, "instructions")?.length ?? 0;
  if (length <= maxInstructionsLength) return undefined;
  return `Parameter "instructions" has ${length} characters; at most ${maxInstructionsLength} are allowed`;
}
