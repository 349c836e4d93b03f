import type { StopCause } from "./outcomes.ts";

/** What a step runs as: its processes, its container. */
export interface StepUnit {
  /** TERM, KILL after the grace period; a second call can only make it sooner. */
  stop(graceMs: number): void;
}

/** What may happen to an attempt from outside while it runs. */
export interface AttemptState<Unit extends StepUnit = StepUnit> {
  /** Why it is to stop; the first reason stays. */
  cause?: StopCause;
  graceMs?: number;
  step?: { name: string; unit: Unit };
  /** A step may have done something. */
  hasBegun?: boolean;
  /** All steps are over: nothing is left that could be stopped. */
  isOver: boolean;
}

/** Asks an attempt to stop: no further step begins, the running one gets TERM and, after the grace period, KILL. */
export function haltAttempt(state: AttemptState, cause: StopCause, graceMs: number): void {
  if (state.isOver) return;
  state.cause ??= cause;
  state.graceMs = Math.min(state.graceMs ?? graceMs, graceMs);
  state.step?.unit.stop(state.graceMs);
}
