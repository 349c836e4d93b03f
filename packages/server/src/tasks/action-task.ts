import { readActionForm } from "../core/action/action-form.ts";
import { type ActionRules, instructionsFault, readActionRules, readApproversWanted } from "../core/action/action-rules.ts";
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
 * (`readActionRules`): without a decision in time, the task ends as timed out and its action is cancelled.
 */

export const approval: EngineTaskType = {
  type: "approval",
  start(context) {
    const request = readRequest(context.params);
    if (typeof request === "string") return failed("InvalidParameter", request);
    const { rules } = request;
    const wanted = readApproversWanted(context.params);
    if (typeof wanted === "string") return failed("InvalidParameter", wanted);
    const reference = textParam(context.params, "approverGroupId");
    const group = reference === undefined ? undefined : context.ask.group(reference);
    if (reference !== undefined && !group) return unknownGroup("approverGroupId", reference);
    const refusal = group && whyTooSmall(group, wanted, rules.barsRequester);
    if (refusal) return failed("ApproverGroupTooSmall", refusal);
    const detail = `Waiting for ${wanted === 1 ? "an approval" : `${wanted} approvals`} by ${group ? `approver group "${group.name}"` : "the team"}`;
    const escalation = readEscalation(context, rules, group?.id);
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
    const escalation = readEscalation(context, request.rules, undefined);
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
  { escalation, barsRequester }: ActionRules,
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
  rules: ActionRules;
  instructions: string | null;
  form: ActionForm;
}

/** A sentence if a parameter is invalid. */
function readRequest(params: ReadonlyMap<string, unknown>): ActionTaskRequest | string {
  const rules = readActionRules(params);
  if (typeof rules === "string") return rules;
  const tooLong = instructionsFault(params);
  if (tooLong !== undefined) return tooLong;
  const instructions = textParam(params, "instructions") ?? null;
  const form = readActionForm(params);
  return typeof form === "string" ? form : { rules, instructions, form };
}

interface Opening extends ActionTaskRequest {
  escalation: Escalation;
  groupId: string | null;
  wanted: number;
  detail: string;
}

function open({ ask, task }: TypeContext, type: "approval" | "manual", { rules, ...opening }: Opening): Outcome {
  const id = ask.newId();
  return {
    kind: "waiting",
    wait: { kind: "action", key: id, detail: opening.detail },
    ...(rules.deadlineMinutes !== null && { deadlineInMs: rules.deadlineMinutes * 60_000 }),
    openAction: {
      id,
      taskRunId: task.id,
      type,
      instructions: opening.instructions,
      approverGroupId: opening.groupId,
      approversWanted: opening.wanted,
      reminderMinutes: rules.reminderMinutes,
      escalation: opening.escalation,
      barsRequester: rules.barsRequester,
      form: opening.form,
    },
  };
}

function decided(_context: TypeContext, event: WakeEvent): Finished | undefined {
  if (event.kind !== "decided") return undefined;
  if (event.approved) return { kind: "finished", status: "succeeded", results: event.results, message: event.message };
  return { kind: "finished", status: "failed", reason: "Rejected", message: event.message, results: event.results };
}
