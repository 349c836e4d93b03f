import type { Job } from "../../engine/executor.ts";
import { invalid, type StopCause, type Verdict } from "./outcomes.ts";
import { volumesProblem } from "./places.ts";
import { isFileName } from "./step-command.ts";
import { workspacesProblem } from "./view.ts";

/** What runs a step: its processes, or its container. */
export interface StepUnit {
  /** TERM, KILL after the grace period; a second call can only shorten it. */
  stop(graceMs: number): void;
}

/** What may happen to an attempt from outside while it runs. */
export interface AttemptState<Unit extends StepUnit = StepUnit> {
  /** Why it is to stop; the first reason counts. */
  cause?: StopCause;
  graceMs?: number;
  step?: { name: string; unit: Unit };
  /** Sidecars, which run beside the steps. */
  sidecars?: Unit[];
  /** A step has started, so it may have had effects. */
  hasBegun?: boolean;
  /** All steps have ended: nothing is left that could be stopped. */
  isOver: boolean;
}

/** Asks an attempt to stop: no further step starts; the running one and the sidecars get TERM and, after the grace period, KILL. */
export function haltAttempt(state: AttemptState, cause: StopCause, graceMs: number): void {
  if (state.isOver) return;
  state.cause ??= cause;
  state.graceMs = Math.min(state.graceMs ?? graceMs, graceMs);
  for (const unit of [...(state.step ? [state.step.unit] : []), ...(state.sidecars ?? [])]) unit.stop(state.graceMs);
}

/** The maximum of a timer, about 24 days; for a later deadline, the timer is set again. */
const maxTimerMs = 2_147_483_647;

/** @returns a function that ends the waiting; if the deadline has already passed, it is called back at once */
export function startDeadline(timeoutMs: number, onDeadline: () => void): () => void {
  const endsAt = performance.now() + timeoutMs;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) onDeadline();
    else timer = setTimeout(wait, Math.min(leftMs, maxTimerMs));
  };
  wait();
  return () => clearTimeout(timer);
}

/** Most jobs mount nothing: then there is nothing to check, create or measure. */
export function mountsAnything({ workspaces, volumes }: Pick<Job, "workspaces" | "volumes">): boolean {
  return workspaces.length > 0 || volumes !== undefined;
}

/** Each is a mount, and open for a moment: a thousand would use up the open files of the whole worker, and its other tasks would wait. */
const mostWorkspaces = 32;

/**
 * @param hasOwnFiles whether steps have their own file system, in which workspaces are mounted
 * @returns why no executor could run the job as it is described, or undefined
 */
export function checkTask(job: Job, hasOwnFiles: boolean): Verdict | undefined {
  if (job.steps.length === 0) return invalid("InvalidTask", "the task has no steps, so there is nothing to run");
  const badResult = job.results.find(({ name }) => !isFileName(name));
  if (badResult)
    return invalid(
      "InvalidTask",
      `result ${JSON.stringify(badResult.name)} can't be a file: its name can't be empty, "." or "..", or contain a /`,
    );
  if (job.workspaces.length > mostWorkspaces)
    return invalid("InvalidTask", `the task has ${job.workspaces.length} workspaces; it can have ${mostWorkspaces}`);
  const problem = hasOwnFiles && mountsAnything(job) ? (workspacesProblem(job.workspaces) ?? volumesProblem(job)) : undefined;
  return problem === undefined ? undefined : invalid("InvalidTask", problem);
}
