/**
 * The glossary of everything that runs, and its status words, which are defined only here.
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

/** True if a run or task run with this status can't change any more, except by a manual retry. */
export function isFinal(status: Status): status is FinalStatus {
  return (finalStatuses as readonly Status[]).includes(status);
}

/** What a started task run can wait for: a person, an event, a time, another attempt, a lock, the end of a run. */
export const waitKinds = ["action", "event", "sleep", "retry", "lock", "run"] as const;
export type WaitKind = (typeof waitKinds)[number];

/** What may start a run. */
export const triggers = ["manual", "schedule", "webhook", "event", "codehost", "workflow", "engine", "task"] as const;
export type TriggerKind = (typeof triggers)[number];

/** Who or what started a run: a person, a token that acts as itself, the end or a task of another run, a schedule, the instance itself. */
export const initiatorTypes = ["user", "token", "workflow", "schedule", "instance"] as const;
export type InitiatorType = (typeof initiatorTypes)[number];

/** Types of tasks and nodes (words of the reference). */
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

/** They do more than produce results (people decide, a lock is held, the run changes), so they can't be marked as succeeded. */
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

/** Type of a StepAction, which is saved like a task, and used as a step of tasks. No node can use it. */
export const stepActionType = "stepaction";
/** Types of everything that is saved as a task. */
export const definitionTypes = [...taskTypes, stepActionType] as const;
export type DefinitionType = (typeof definitionTypes)[number];

/** Types that an executor runs on a worker; the engine itself runs all others inside its transaction. */
export const executorTypes = ["template", "custom", "generic", "script"] as const satisfies readonly TaskType[];
export function isExecutorType(type: TaskType): boolean {
  return (executorTypes as readonly TaskType[]).includes(type);
}
