import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobOutcome, TakeLines } from "../../engine/executor.ts";
import type { Verdict } from "../steps/outcomes.ts";
import type { AttemptOutput } from "../steps/step-output.ts";
import type { JobState } from "./job-state.ts";
import type { Runtime } from "./runtime.ts";

/** One attempt on its way. */
export interface AttemptRun {
  runtime: Runtime;
  /** Its limits are those of the steps. */
  job: Job;
  /** What steps and sidecars have together. */
  limits: Job["limits"];
  state: JobState;
  masker: Masker;
  output: AttemptOutput;
  onLines: TakeLines;
}

/** How it ended, with what is known of it. */
export type Ending = Pick<JobOutcome, "results" | "place" | "waits"> & { verdict: Verdict };
