import { readActionForm } from "../core/action/action-form.ts";
import {
  type ActionForm,
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
 * Approval and manual task: both open an action for people and wait until it is decided. Votes are counted where they are
 * cast (domain/action/decide-actions.ts); here only the decision arrives. An approval that nobody could ever give (no such
 * group, or too few people in it) fails at once instead of waiting forever. Time limits and reminders are the action's rows
 * (`readActionTerms`): when nobody decides in time, the task ends as timed out and its action is cancelled.
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
    if (reference !== undefined && !group) {
      return failed(
        "UnknownApproverGroup",
        `The team has no approver group "${reference}"; parameter "approverGroupId" must be its id or name`,
      );
    }
    const refusal = group && whyTooSmall(group, wanted, terms);
    if (refusal) return failed("ApproverGroupTooSmall", refusal);
    const detail = `Waiting for ${wanted === 1 ? "an approval" : `${wanted} approvals`} by ${group ? `approver group "${group.name}"` : "the team"}`;
    return open(context, "approval", { groupId: group?.id ?? null, wanted, detail, ...request });
  },
  wake: decided,
};

function whyTooSmall(group: ApproverGroup, wanted: number, { barsRequester }: ActionTerms): string | undefined {
  const voters = barsRequester ? group.otherMembers : group.members;
  if (voters >= wanted) return undefined;
  const besides = voters < group.members ? ` of whom ${voters} did not start the run` : "";
  return `Approver group "${group.name}" has ${group.members} members${besides}, so ${wanted} approvals can never be reached; people who were only invited don't count`;
}

export const manual: EngineTaskType = {
  type: "manual",
  start(context) {
    const request = readRequest(context.params);
    if (typeof request === "string") return failed("InvalidParameter", request);
    const detail = "Waiting for a person to do this task and confirm it";
    return open(context, "manual", { groupId: null, wanted: 1, detail, ...request });
  },
  wake: decided,
};

/** What both kinds show and ask for. */
interface ActionTaskRequest {
  terms: ActionTerms;
  instructions: string | null;
  form: ActionForm;
}

/** Instructions stand in every list of actions. */
const maxInstructionsLength = 20_000;

/** A sentence when a parameter can't be read. */
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
      barsRequester: terms.barsRequester,
      form: opening.form,
    },
  };
}

/** `numberOfApprovals` is the word of older definitions. */
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

/** What approvals and manual tasks have in common: how long people have, when they are reminded, and who may not vote. */
interface ActionTerms {
  /** From the opening of the action; null: only the timeouts of task and run hold. */
  deadlineMinutes: number | null;
  /** A reminder is due each time that many minutes have passed; null: none. */
  reminderMinutes: number | null;
  /** The person who started the run may not vote. */
  barsRequester: boolean;
}

/** A year. */
const maxMinutes = 525_600;

/** From the parameters `deadline`, `reminder` and `requesterMayNotApprove`; a sentence when one of them can't be read. */
function readActionTerms(params: ReadonlyMap<string, unknown>): ActionTerms | string {
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
