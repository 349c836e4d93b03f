import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobPlace, JobWaits } from "../../engine/executor.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import type { StopCause } from "../steps/outcomes.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import type { Runtime } from "./runtime.ts";
import type { StepContainer } from "./step-container.ts";

/** One attempt on its way; what is found out is added as it goes. */
export interface AttemptRun {
  runtime: Runtime;
  job: Job;
  state: AttemptState<StepContainer>;
  masker: Masker;
  output: AttemptOutput;
  /** By their places: what each may have, and takes what it writes; the limits of `job` are for its steps. */
  sidecars: { limits: Job["limits"]; output: AttemptOutput }[];
  /** Asks it to end; the first cause holds. */
  halt(cause: StopCause, graceMs: number): void;
  /** Aborted by the first cause: waiting for an image or an engine ends. */
  stopped: AbortSignal;
  place: JobPlace;
  waits: JobWaits;
  /** Containers that are being removed; the folder stays until they are gone. */
  removals: Promise<unknown>[];
}
