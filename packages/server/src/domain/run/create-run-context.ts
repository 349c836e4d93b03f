import type { Log } from "../../base/process/log.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { Tracing } from "../../base/trace/tracing.ts";
import type { TaskTypes } from "../../core/task/task-type.ts";
import { SubmissionBatches } from "../../store/run/submissions.ts";
import { scheduleLater } from "../schedule/schedule-later.ts";
import { LiveSettings } from "../settings/live-settings.ts";
import { MonthlyCapacity, WaitingCapacity } from "./limits/check-quotas.ts";
import { DatabaseClock, PlanCache, RunStateCache } from "./run-caches.ts";
import type { RunContext } from "./run-context.ts";
import { submitChild } from "./submit-child.ts";

export interface RunContextParts {
  keyring: Keyring;
  publicUrl: string;
  types: TaskTypes;
  log?: Log;
  tracing?: Tracing | undefined;
  /** False by default. */
  allowsHostNetwork?: boolean;
  /** False by default. */
  allowsPrivileged?: boolean;
  /** False by default. */
  startsQueuedRuns?: boolean;
}

/** Assembles the dependencies of the rules about runs, once per process. */
export function createRunContext(given: RunContextParts): RunContext {
  const { allowsHostNetwork = false, allowsPrivileged = false, startsQueuedRuns = false, ...parts } = given;
  return {
    ...parts,
    allowsHostNetwork,
    allowsPrivileged,
    startsQueuedRuns,
    beginning: new Set(),
    plans: new PlanCache(),
    batches: new SubmissionBatches(),
    monthlyCapacity: new MonthlyCapacity(),
    waitingCapacity: new WaitingCapacity(),
    settings: new LiveSettings(),
    states: new RunStateCache(),
    clock: new DatabaseClock(),
    submitChild,
    scheduleLater,
  };
}
