import type { TestEvent, WorkflowTestInput } from "@millrace/contract/workflow/workflow-test.ts";
import { decisionEvent } from "../action/decision-event.ts";
import { readFieldValues } from "../action/field-values.ts";
import type { RunEvent } from "../run/advance.ts";
import type { NewAction } from "../task/task-type.ts";
import { durationText, msOf } from "./test-durations.ts";
import { TestProblem } from "./test-problem.ts";

/** An approver group that may decide too, since the original group has not decided in time. Times are epoch milliseconds. */
export interface Escalation {
  /** As named in the task. */
  group: string;
  openedAt: number;
  at: number;
}

/** What people do in a test: who decides an action, and when. */
export class PlayedActions {
  readonly #events: readonly TestEvent[];
  /** Decisions that have not been made yet. */
  readonly #left: TestEvent[];
  /** By the id of the task run. */
  readonly #escalated = new Map<string, Escalation>();

  constructor({ events }: Pick<WorkflowTestInput, "events">) {
    this.#events = events ?? [];
    this.#left = this.#events.filter(({ task }) => task != null);
  }

  /** The first decision for one of the names; each is made once. @throws TestProblem if that person could not decide at that time */
  decide(action: NewAction, names: ReadonlySet<string>, openedAt: number): { at: number; event: RunEvent } | undefined {
    const place = this.#left.findIndex(({ task }) => names.has(task ?? ""));
    const decision = this.#left[place];
    if (decision === undefined) return undefined;
    this.#left.splice(place, 1);
    const path = `/events/${this.#events.indexOf(decision)}`;
    const { fields } = action.form;
    const vote = { approved: decision.decision !== "rejected", comments: decision.comments, values: decision.values ?? {} };
    const { faults } = readFieldValues(fields, vote.values, vote.approved);
    if (faults[0]) throw new TestProblem(faults[0].message, `${path}/values`);
    const at = openedAt + delayOf(decision, action, openedAt, path);
    return { at, event: decisionEvent({ ...action, fields }, vote, { name: decision.by ?? "A tester", email: "" }, new Date(at)) };
  }

  /** A retried task gets another action, which is not escalated yet. */
  open({ taskRunId }: NewAction): void {
    this.#escalated.delete(taskRunId);
  }

  escalate({ taskRunId }: NewAction, escalation: Escalation): void {
    this.#escalated.set(taskRunId, escalation);
  }

  /** Undefined: the last action of the task run was not escalated. */
  escalationOf(taskRunId: string): Escalation | undefined {
    return this.#escalated.get(taskRunId);
  }
}

/** Undefined: there is no escalation, or the deadline comes first. */
export function plannedEscalation({ escalation, deadlineAt }: NewAction, openedAt: number): Escalation | undefined {
  if (escalation === null) return undefined;
  const at = openedAt + escalation.minutes * 60_000;
  return deadlineAt !== null && at >= deadlineAt ? undefined : { group: escalation.groupId, openedAt, at };
}

/**
 * Milliseconds after the action was opened. Members of the group it is escalated to decide as soon as they can, unless the test says when.
 */
function delayOf({ group, after }: TestEvent, action: NewAction, openedAt: number, path: string): number {
  if (group == null || group === action.approverGroupId) return msOf(after);
  if (group !== action.escalation?.groupId) throw new TestProblem(whyNoVoter(group, action), `${path}/group`);
  const escalation = plannedEscalation(action, openedAt);
  if (escalation === undefined)
    throw new TestProblem(
      `names the group ${group}, which never gets the action: its deadline comes before the escalation`,
      `${path}/group`,
    );
  const earliest = escalation.at - openedAt;
  if (after == null) return earliest;
  if (msOf(after) >= earliest) return msOf(after);
  const can = `members of the group ${group} can decide only from the escalation on, ${durationText(earliest)} after the task began to wait`;
  throw new TestProblem(`is ${after}, but ${can}; leave "after" out, or make it longer`, `${path}/after`);
}

function whyNoVoter(group: string, { approverGroupId, escalation }: NewAction): string {
  const known = [approverGroupId, escalation?.groupId].filter((one) => one != null);
  if (known.length === 0) return `names the group ${group}, but the task names no approver group; leave "group" out`;
  return `names the group ${group}, whose people can't decide; the task names ${known.join(" and, after the escalation, ")}`;
}
