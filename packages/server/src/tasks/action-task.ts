import { readActionForm } from "../core/action/action-form.ts";
import {
  type ActionForm,
  type ActionSpec,
  type ApproverGroup,
  type EngineTaskType,
  type Finished,
  failed,
  type Outcome,
  type TypeContext,
  textParam,
  type WakeEvent,
} from "../core/task/task-type.ts";

/**
 * Approval and manual task: both open an action for people and wait until it is decided. Votes are counted where they are cast
 * (domain/action/decide-actions.ts); only the decision arrives here. An approval that can't ever be given (no such group, or too few people
 * in it) fails at once instead of waiting forever. Time limits, reminders and the escalation to another group are in the action's row
 * (`readActionTerms`): without a decision in time, the task ends as timed out and its action is cancelled.
 */

export const approval: EngineTaskType = {
  type: "approval",
  start(context) {
    const request = readRequest(context.params);
    if (typeof request === "string") return failed("InvalidParameter", request);
    const { terms } = request;
    const wanted = approversWanted(context.params);
    if (wanted === undefined) return failed("InvalidParameter", 'Parameter "numberOfApprovers" must be a whole number from 1 to 100');
    const reference = textParam(context.params, "approverGroupId");
    const group = reference === undefined ? undefined : context.ask.group(reference);
    if (reference !== undefined && !group) return unknownGroup("approverGroupId", reference);
    const refusal = group && whyTooSmall(group, wanted, terms.barsRequester);
    if (refusal) return failed("ApproverGroupTooSmall", refusal);
    const detail = `Waiting for ${wanted === 1 ? "an approval" : `${wanted} approvals`} by ${group ? `approver group "${group.name}"` : "the team"}`;
    const escalation = readEscalation(context, terms, group?.id);
    if (isFinished(escalation)) return escalation;
    return open(context, "approval", { escalation, groupId: group?.id ?? null, wanted, detail, ...request });
  },
  wake: decided,
};

function whyTooSmall(group: ApproverGroup, wanted: number, barsRequester: boolean): string | undefined {
  const voters = barsRequester ? group.otherMembers : group.members;
  if (voters >= wanted) return undefined;
  const besides = voters < group.members ? ` of whom ${voters} did not start the run` : "";
  return `Approver group "${group.name}" has ${group.members} members${besides}, so ${wanted === 1 ? "an approval" : `${wanted} approvals`} can never be reached; people who were only invited don't count`;
}

export const manual: EngineTaskType = {
  type: "manual",
  start(context) {
    const request = readRequest(context.params);
    if (typeof request === "string") return failed("InvalidParameter", request);
    const detail = "Waiting for a person to do this task and confirm it";
    const escalation = readEscalation(context, request.terms, undefined);
    if (isFinished(escalation)) return escalation;
    return open(context, "manual", { escalation, groupId: null, wanted: 1, detail, ...request });
  },
  wake: decided,
};

function unknownGroup(param: string, reference: string): Finished {
  return failed("UnknownApproverGroup", `The team has no approver group "${reference}"; parameter "${param}" must be its id or name`);
}

type Escalation = ActionSpec["escalation"];

/** Finished: the action can't go to the group. @param groupId that of the action itself */
function readEscalation(
  { ask }: TypeContext,
  { escalation, barsRequester }: ActionTerms,
  groupId: string | undefined,
): Escalation | Finished {
  if (escalation === null) return null;
  const group = ask.group(escalation.to);
  if (group === undefined) return unknownGroup("escalateTo", escalation.to);
  if (group.id === groupId) return failed("InvalidParameter", 'Parameter "escalateTo" must be another group than "approverGroupId"');
  const tooSmall = whyTooSmall(group, 1, barsRequester);
  return tooSmall === undefined ? { minutes: escalation.minutes, groupId: group.id } : failed("ApproverGroupTooSmall", tooSmall);
}

function isFinished(one: Escalation | Finished): one is Finished {
  return one !== null && "kind" in one;
}

/** What both kinds show and ask for. */
interface ActionTaskRequest {
  terms: ActionTerms;
  instructions: string | null;
  form: ActionForm;
}

/** Every list of actions shows the instructions. */
const maxInstructionsLength = 20_000;

/** A sentence if a parameter is invalid. */
function readRequest(params: ReadonlyMap<string, unknown>): ActionTaskRequest | string {
  const terms = readActionTerms(params);
  if (typeof terms === "string") return terms;
  const instructions = textParam(params, "instructions") ?? null;
  if (instructions && instructions.length > maxInstructionsLength) {
    return `Parameter "instructions" has ${instructions.length} characters; at most ${maxInstructionsLength} are allowed`;
  }
  const form = readActionForm(params);
  return typeof form === "string" ? form : { terms, instructions, form };
}

interface Opening extends ActionTaskRequest {
  escalation: Escalation;
  groupId: string | null;
  wanted: number;
  detail: string;
}

function open({ ask, task }: TypeContext, type: "approval" | "manual", { terms, ...opening }: Opening): Outcome {
  const id = ask.newId();
  return {
    kind: "waiting",
    wait: { kind: "action", key: id, detail: opening.detail },
    ...(terms.deadlineMinutes !== null && { deadlineInMs: terms.deadlineMinutes * 60_000 }),
    openAction: {
      id,
      taskRunId: task.id,
      type,
      instructions: opening.instructions,
      approverGroupId: opening.groupId,
      approversWanted: opening.wanted,
      reminderMinutes: terms.reminderMinutes,
      escalation: opening.escalation,
      barsRequester: terms.barsRequester,
      form: opening.form,
    },
  };
}

/** Older definitions say `numberOfApprovals`. */
function approversWanted(params: ReadonlyMap<string, unknown>): number | undefined {
  const text = textParam(params, "numberOfApprovers") ?? textParam(params, "numberOfApprovals") ?? "1";
  const wanted = Number(text);
  return Number.isInteger(wanted) && wanted >= 1 && wanted <= 100 ? wanted : undefined;
}

function decided(_context: TypeContext, event: WakeEvent): Finished | undefined {
  if (event.kind !== "decided") return undefined;
  if (event.approved) return { kind: "finished", status: "succeeded", results: event.results, message: event.message };
  return { kind: "finished", status: "failed", reason: "Rejected", message: event.message, results: event.results };
}

/** What approvals and manual tasks have in common: how long people have, when they are reminded, who else may vote, and who may not. */
interface ActionTerms {
  /** From the opening of the action; null: only the timeouts of task and run apply. */
  deadlineMinutes: number | null;
  /** Minutes between reminders; null: none. */
  reminderMinutes: number | null;
  /** After how many minutes which group (its ID or name) may vote as well. */
  escalation: { minutes: number; to: string } | null;
  /** The person who started the run may not vote. */
  barsRequester: boolean;
}

/** A year. */
const maxMinutes = 525_600;

/** From the parameters `deadline`, `reminder`, `escalateAfter`, `escalateTo` and `requesterMayNotApprove`; a sentence if one is invalid. */
function readActionTerms(params: ReadonlyMap<string, unknown>): ActionTerms | string {
  const deadlineMinutes = minutes(params, "deadline");
  const reminderMinutes = minutes(params, "reminder");
  const escalateMinutes = minutes(params, "escalateAfter");
  const read = { deadline: deadlineMinutes, reminder: reminderMinutes, escalateAfter: escalateMinutes };
  const unreadable = Object.entries(read).find(([, value]) => value === undefined);
  if (unreadable) return `Parameter "${unreadable[0]}" must be a whole number of minutes from 1 to ${maxMinutes}`;
  const barsRequester = words.get((textParam(params, "requesterMayNotApprove") ?? "false").trim().toLowerCase());
  if (barsRequester === undefined) return 'Parameter "requesterMayNotApprove" must be true or false';
  const to = textParam(params, "escalateTo")?.trim() || undefined;
  if ((to === undefined) !== (escalateMinutes === null)) return 'Parameters "escalateAfter" and "escalateTo" must be given together';
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
function minutes(params: ReadonlyMap<string, unknown>, name: string): number | null | undefined {
  const text = textParam(params, name)?.trim();
  if (text === undefined || text === "") return null;
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= maxMinutes ? value : undefined;
}
