import type { AbstractParam } from "@millrace/contract/common.ts";
import type { RunEvent } from "../run/advance.ts";
import type { RunResult } from "../run/run-state.ts";
import { readFieldValues } from "./field-values.ts";

/** The effect of a people's decision on the task run that waits for it. Pure. */

interface DecidedAction {
  id: string;
  taskRunId: string;
  type: "approval" | "manual";
  fields: readonly AbstractParam[];
}

interface DecidingVote {
  approved: boolean;
  comments?: string | null | undefined;
  values: Readonly<Record<string, unknown>>;
}

interface DecidingPerson {
  name: string;
  email: string;
}

export function decisionEvent(
  action: DecidedAction,
  vote: DecidingVote,
  person: DecidingPerson,
  at: Date,
): Extract<RunEvent, { kind: "decided" }> {
  const comments = vote.comments ? `: ${vote.comments}` : "";
  return {
    kind: "decided",
    taskRunId: action.taskRunId,
    approved: vote.approved,
    results: results(action, vote, person, at),
    message: `${vote.approved ? "Approved" : "Rejected"} by ${person.name}${comments}`,
  };
}

/**
 * The results of a manual task only say which action it was; those of an approval also say who decided it and how, under fixed names. Both
 * include the field values of the deciding vote.
 */
function results(action: DecidedAction, { approved, comments, values }: DecidingVote, person: DecidingPerson, at: Date): RunResult[] {
  const actionRef = { name: "actionRef", value: action.id };
  const entered = readFieldValues(action.fields, values, approved).values;
  const fields = Object.entries(entered).map(([name, value]) => ({ name, value }));
  if (action.type === "manual") return [actionRef, ...fields];
  return [
    { name: "approvalStatus", value: approved ? "approved" : "rejected" },
    { name: "approvalDate", value: at.toISOString() },
    { name: "approvalUserName", value: person.name },
    { name: "approvalUserEmail", value: person.email },
    { name: "approvalComments", value: comments ?? "" },
    actionRef,
    ...fields,
  ];
}
