import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobPlace, JobWaits } from "../../engine/executor.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import type { StopCause } from "../steps/outcomes.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import type { Runtime } from "./runtime.ts";
import type { StepContainer } from "./step-container.ts";

/** A running attempt; what is found out is added on the way. */
export interface AttemptRun {
  runtime: Runtime;
  job: Job;
  state: AttemptState<StepContainer>;
  masker: Masker;
  output: AttemptOutput;
  /** By the index of the sidecar: its limits and its output. The limits of `job` are those of its steps. */
  sidecars: { limits: Job["limits"]; output: AttemptOutput }[];
  /** Asks the attempt to end; the first cause counts. */
  halt(cause: StopCause, graceMs: number): void;
  /** Aborted at the first cause: waiting for an image or an engine then ends. */
  stopped: AbortSignal;
  place: JobPlace;
  waits: JobWaits;
  /** Containers that are being removed; the folder stays until they are gone. */
  removals: Promise<unknown>[];
}
