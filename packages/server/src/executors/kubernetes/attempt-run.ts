import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobOutcome, TakeLines } from "../../engine/executor.ts";
import type { Verdict } from "../steps/outcomes.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import type { JobState } from "./job-state.ts";
import type { Runtime } from "./runtime.ts";

/** A running attempt. */
export interface AttemptRun {
  runtime: Runtime;
  /** The limits in it are those of the steps. */
  job: Job;
  /** The limits of steps and sidecars together. */
  limits: Job["limits"];
  state: JobState;
  masker: Masker;
  output: AttemptOutput;
  onLines: TakeLines;
}

/** How it ended, and what is known about that. */
export type Ending = Pick<JobOutcome, "results" | "place" | "waits"> & { verdict: Verdict };
