import type { AbstractParam } from "@millrace/contract/common.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import type { LoopScope } from "../run/loops/loop-scope.ts";
import type { RunResult, TaskState, TaskWaitKind } from "../run/run-state.ts";
import type { NamedValue, PlanNode } from "../workflow/plan.ts";

/**
 * What a task type is to the engine: pure functions from (parameters, event) to an outcome out of a closed set.
 * A type never writes a status and never touches the database; the outcome says what should be true afterwards.
 */

export interface Finished {
  kind: "finished";
  status: "succeeded" | "failed" | "invalid";
  /** A typed word for machines: `MissingParameter`, `LockTimeout` … */
  reason?: string;
  /** For people. */
  message?: string;
  results?: RunResult[];
  decisionValue?: string;
  /** Results of the run, merged by name. */
  runResults?: RunResult[];
  statusOverride?: "succeeded" | "failed";
  /** Locks to give back, by key. */
  releaseLocks?: string[];
}

export interface Waiting {
  kind: "waiting";
  wait: { kind: TaskWaitKind; key?: string; detail: string };
  /** Milliseconds from now until the engine must look by itself; absent: only an event ends the wait. */
  lookInMs?: number;
  /** Milliseconds from now until the task run ends as timed out; its own timeout counts too, whichever comes first. */
  deadlineInMs?: number;
  /** An action to open for people. */
  openAction?: ActionSpec;
}

export type Outcome = Finished | Waiting;

/** What an action shows to people, and asks them for. */
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

/** A text that people look at, or the log of another task of the run, by its name. */
export type ActionAttachment = { label: string; text: string } | { label: string; log: string };

/** What a task type wants of an action. */
export interface ActionSpec {
  id: string;
  taskRunId: string;
  type: "approval" | "manual";
  instructions: string | null;
  /** Id of a group of the team; null: everyone of the team who may act on actions. */
  approverGroupId: string | null;
  approversWanted: number;
  /** Minutes after which a reminder is due, again and again; null: never. */
  reminderMinutes: number | null;
  /** After how many minutes the people of which other group of the team may vote too; null: never. */
  escalation: { minutes: number; groupId: string } | null;
  /** The person who started the run may not vote. */
  barsRequester: boolean;
  form: ActionForm;
}

export interface NewAction extends ActionSpec {
  /** Epoch milliseconds at which the wait ends by itself; null: never. */
  deadlineAt: number | null;
}

/** What reached a task run that waits. */
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
  /** The workflow is one that is nested in that of the run. */
  isNested?: boolean;
}
/** A child that is to be submitted, with what resolving the parameters again, in clear, needs of the moment. */
export interface ChildStart extends ChildRequest {
  node: number;
  item: number | null;
  /** Results that the node refers to, by the node that has them; those of this very moment are in no row yet. */
  results: ReadonlyMap<number, readonly RunResult[]>;
  /** Of a round. */
  loop?: LoopScope;
}
/** A run that is to come later, by a schedule of its own. */
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
  /** How many people are in it, without those who were only invited. */
  members: number;
  /** How many of them did not start the run. */
  otherMembers: number;
}
export type ChildAnswer = { runId: string; error?: undefined } | { error: string; reason: string };

/** What a type may ask while it decides. A fact that is not known yet interrupts the advance until it was fetched. */
export interface Ask {
  newId(): string;
  /** The newest callback of that topic that this run has received, if any. */
  event(topic: string): { status: "succeeded" | "failed"; payload: unknown } | undefined;
  /** Takes the lock for this run; otherwise says who holds it. */
  lock(key: string): { held: true } | { held: false; holder: string };
  /** Submits a child run, exactly once. */
  child(request: ChildRequest): ChildAnswer;
  /** Makes a schedule that runs a workflow of the team once, exactly once. */
  later(request: LaterRequest): LaterAnswer;
  /** The team's approver group of that id or name (ignoring case), as it is now; undefined when there is none. */
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
  /** What an event means to a waiting task run; undefined: nothing, it waits on. */
  wake?(context: TypeContext, event: WakeEvent): Finished | Waiting | undefined;
}

export type TaskTypes = ReadonlyMap<TaskType, EngineTaskType>;

/** A parameter as text: what most types want. Missing and null are undefined, objects become JSON. */
export function textParam(params: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const value = params.get(name);
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function failed(reason: string, message: string): Finished {
  return { kind: "finished", status: "failed", reason, message };
}
