import type { StopCause } from "../steps/outcomes.ts";
import type { StepProcess } from "./step-process.ts";

/** What may happen to an attempt from outside while it runs. */
export interface AttemptState {
  /** Why it is to stop; the first reason stays. */
  cause?: StopCause;
  graceMs?: number;
  step?: { name: string; process: StepProcess };
  /** All steps are over: nothing is left that could be stopped. */
  isOver: boolean;
}

/** Asks an attempt to stop: no further step begins, the running one gets TERM and, after the grace period, KILL. */
export function haltAttempt(state: AttemptState, cause: StopCause, graceMs: number): void {
  if (state.isOver) return;
  state.cause ??= cause;
  state.graceMs = Math.min(state.graceMs ?? graceMs, graceMs);
  state.step?.process.stop(state.graceMs);
}
