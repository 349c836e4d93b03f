/**
 * The glossary of what runs, and its status words: the one place where they are decided.
 *
 * - workflow: a team's versioned graph of tasks. version: its integer number.
 * - run: one execution of one version of a workflow (WorkflowRun on the wire).
 * - task: a versioned definition of a piece of work, owned by a team or global.
 * - node: a use of a task in a workflow, with a name, parameters and dependencies.
 * - task run: one execution of a node in a run. attempt: one try of a task run.
 * - action: an approval or manual task that waits for people.
 * - executor: what runs a task's steps. lease: the time for which a worker owns the attempts it claimed.
 */

/** Statuses of runs and task runs (reference wire words, lower case). */
export const statuses = [
  "notstarted",
  "ready",
  "running",
  "waiting",
  "succeeded",
  "failed",
  "invalid",
  "skipped",
  "cancelled",
  "timedout",
] as const;
export type Status = (typeof statuses)[number];

/** Phases of runs and task runs; `finalized` is for runs only. */
export const phases = ["pending", "queued", "running", "completed", "finalized"] as const;
export type Phase = (typeof phases)[number];

export const finalStatuses = ["succeeded", "failed", "invalid", "skipped", "cancelled", "timedout"] as const;
export type FinalStatus = (typeof finalStatuses)[number];

/** True when nothing more will happen to a run or task run of this status, a manual retry aside. */
export function isFinal(status: Status): status is FinalStatus {
  return (finalStatuses as readonly Status[]).includes(status);
}

/** What a task run can wait for, once it has begun: a person, an event, a time, another try, a lock, the end of a run. */
export const waitKinds = ["action", "event", "sleep", "retry", "lock", "run"] as const;
export type WaitKind = (typeof waitKinds)[number];

/** What may start a run. */
export const triggers = ["manual", "schedule", "webhook", "event", "codehost", "workflow", "engine", "task"] as const;
export type TriggerKind = (typeof triggers)[number];

/** Who or what started a run: a person, a token that acts as itself, the end or a task of another run, a schedule, the instance itself. */
export const initiatorTypes = ["user", "token", "workflow", "schedule", "instance"] as const;
export type InitiatorType = (typeof initiatorTypes)[number];

/** Types of tasks and nodes (reference-wide words). */
export const taskTypes = [
  "start",
  "end",
  "template",
  "custom",
  "generic",
  "script",
  "decision",
  "approval",
  "manual",
  "eventwait",
  "sleep",
  "acquirelock",
  "releaselock",
  "runworkflow",
  "runscheduledworkflow",
  "setwfproperty",
  "setwfstatus",
] as const;
export type TaskType = (typeof taskTypes)[number];

/** They do more than leave results (people decide, a lock is held, the run changes), so that nobody can mark one as succeeded. */
export const neverMarkedTypes = [
  "start",
  "end",
  "approval",
  "manual",
  "decision",
  "acquirelock",
  "releaselock",
  "setwfproperty",
  "setwfstatus",
] as const satisfies readonly TaskType[];

/** Type of a StepAction: what is saved as a task, and is a step of other tasks. No node can use it. */
export const stepActionType = "stepaction";
/** Types of what is saved as a task. */
export const definitionTypes = [...taskTypes, stepActionType] as const;
export type DefinitionType = (typeof definitionTypes)[number];

/** Types that an executor runs on a worker; the engine itself does all others inside its transaction. */
export const executorTypes = ["template", "custom", "generic", "script"] as const satisfies readonly TaskType[];
export function isExecutorType(type: TaskType): boolean {
  return (executorTypes as readonly TaskType[]).includes(type);
}
