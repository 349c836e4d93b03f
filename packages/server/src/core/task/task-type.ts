import type { AbstractParam } from "@millrace/contract/common.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import type { LoopScope } from "../run/loops/loop-scope.ts";
import type { RunResult, TaskState, TaskWaitKind } from "../run/run-state.ts";
import type { NamedValue, PlanNode } from "../workflow/plan.ts";

/**
 * A task type, as the engine sees it: pure functions from (parameters, event) to one of a fixed set of outcomes. A type never writes a
 * status and never accesses the database; the outcome says what the new state should be.
 */

export interface Finished {
  kind: "finished";
  status: "succeeded" | "failed" | "invalid";
  /** A typed word for programs: `MissingParameter`, `LockTimeout` … */
  reason?: string;
  /** For people. */
  message?: string;
  results?: RunResult[];
  decisionValue?: string;
  /** Results of the run, merged by name. */
  runResults?: RunResult[];
  statusOverride?: "succeeded" | "failed";
  /** Keys of locks to release. */
  releaseLocks?: string[];
}

export interface Waiting {
  kind: "waiting";
  wait: { kind: TaskWaitKind; key?: string; detail: string };
  /** Milliseconds from now until the engine must look at the task run itself; absent: only an event ends the wait. */
  pollInMs?: number;
  /** Milliseconds from now until the task run ends as timed out; its own timeout also applies, whichever comes first. */
  deadlineInMs?: number;
  /** An action to open for people. */
  openAction?: ActionSpec;
}

export type Outcome = Finished | Waiting;

/** What an action shows to people, and which input it asks for. */
export interface ActionForm {
  /** Null: the name of the task is used. */
  title: string | null;
  fields: AbstractParam[];
  links: ActionLink[];
  attachments: ActionAttachment[];
}

export interface ActionLink {
  label: string;
  url: string;
}

/** Something that people look at before they decide: a text, or the log of another task of the run, by the name of that task. */
export type ActionAttachment = { label: string; text: string } | { label: string; log: string };

/** The action that a task type wants to open. */
export interface ActionSpec {
  id: string;
  taskRunId: string;
  type: "approval" | "manual";
  instructions: string | null;
  /** Id of a group of the team; null: everyone in the team with permission to act on actions. */
  approverGroupId: string | null;
  approversWanted: number;
  /** The interval of reminders, in minutes; null: never. */
  reminderMinutes: number | null;
  /** After how many minutes the people of another group of the team may vote, too, and which group; null: never. */
  escalation: { minutes: number; groupId: string } | null;
  /** The person who started the run may not vote. */
  barsRequester: boolean;
  form: ActionForm;
}

export interface NewAction extends ActionSpec {
  /** Epoch milliseconds at which the wait ends without a decision; null: never. */
  deadlineAt: number | null;
}

/** An event for a waiting task run. */
export type WakeEvent =
  | { kind: "due" }
  | { kind: "event"; status: "succeeded" | "failed"; payload: unknown }
  | { kind: "decided"; approved: boolean; results: RunResult[]; message: string }
  | { kind: "lock" }
  | { kind: "child"; runId: string; status: string; results: RunResult[]; message: string | null };

export interface ChildRequest {
  taskRunId: string;
  workflowRef: string;
  /** Undefined: the latest. */
  workflowVersion: number | undefined;
  params: NamedValue[];
  /** The task run waits for the end of the child. */
  waits: boolean;
  /** The workflow is nested in the workflow of the run. */
  isNested?: boolean;
}
/** A child run to be submitted, with the current values that are needed to resolve its parameters again with secrets in clear text. */
export interface ChildStart extends ChildRequest {
  node: number;
  item: number | null;
  /** Results that the node refers to, by the node that has them; results of the current change are in no row yet. */
  results: ReadonlyMap<number, readonly RunResult[]>;
  /** Set for a round of a loop. */
  loop?: LoopScope;
}
/** A run to be started later, by a schedule of its own. */
export interface LaterRequest {
  taskRunId: string;
  workflowRef: string;
  params: NamedValue[];
  /** Epoch milliseconds. */
  at: number;
  timeZone: string;
}
export type LaterStart = LaterRequest & Pick<ChildStart, "node" | "item" | "results" | "loop">;
export type LaterAnswer = { scheduleId: string; error?: undefined } | { error: string; reason: string };

/** A group of the team whose members vote. */
export interface ApproverGroup {
  id: string;
  name: string;
  /** Number of people in it, not counting those who have only been invited. */
  members: number;
  /** Number of members other than the person who started the run. */
  otherMembers: number;
}
export type ChildAnswer = { runId: string; error?: undefined } | { error: string; reason: string };

/** The questions a type may ask while it decides. A fact that is not known yet interrupts the advance until it is fetched. */
export interface Ask {
  newId(): string;
  /** The newest callback for that topic that this run has received, if any. */
  event(topic: string): { status: "succeeded" | "failed"; payload: unknown } | undefined;
  /** Acquires the lock for this run; otherwise returns its holder. */
  lock(key: string): { held: true } | { held: false; holder: string };
  /** Submits a child run, exactly once. */
  child(request: ChildRequest): ChildAnswer;
  /** Creates a schedule that runs a workflow of the team one time; it is created exactly once. */
  later(request: LaterRequest): LaterAnswer;
  /** The team's approver group with that id or name (ignoring case), as it is now; undefined if there is none. */
  group(reference: string): ApproverGroup | undefined;
}

export interface TypeContext {
  node: PlanNode;
  task: TaskState;
  /** Resolved, secrets masked. */
  params: ReadonlyMap<string, unknown>;
  /** Epoch milliseconds of the database. */
  now: number;
  ask: Ask;
}

export interface EngineTaskType {
  type: TaskType;
  start(context: TypeContext): Outcome;
  /** The effect of an event on a waiting task run; undefined: none, it keeps waiting. */
  wake?(context: TypeContext, event: WakeEvent): Finished | Waiting | undefined;
}

export type TaskTypes = ReadonlyMap<TaskType, EngineTaskType>;

/** A parameter as text, as most types need it. Missing and null become undefined, objects become JSON. */
export function textParam(params: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const value = params.get(name);
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function failed(reason: string, message: string): Finished {
  return { kind: "finished", status: "failed", reason, message };
}
