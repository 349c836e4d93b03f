import type { Log } from "../../base/process/log.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { Tracing } from "../../base/trace/tracing.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { ChildAnswer, ChildStart, LaterAnswer, LaterStart, TaskTypes } from "../../core/task/task-type.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { SubmissionBatches } from "../../store/run/submissions.ts";
import type { LiveSettings } from "../settings/live-settings.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { MonthlyCapacity, WaitingCapacity } from "./limits/run-capacities.ts";
import type { PlanCache } from "./plan-cache.ts";
import type { RunStateCache } from "./run-state-cache.ts";

/** What the rules about runs need beyond the transaction: handed in where the process is put together (app.ts). */
export interface RunContext {
  types: TaskTypes;
  plans: PlanCache;
  batches: SubmissionBatches;
  monthlyCapacity: MonthlyCapacity;
  waitingCapacity: WaitingCapacity;
  settings: LiveSettings;
  states: RunStateCache;
  clock: DatabaseClock;
  keyring: Keyring;
  /** Where runs are recorded as traces; absent: nowhere. */
  tracing?: Tracing | undefined;
  /** Hears of each run that starts and ends. */
  log?: Log | undefined;
  /** Address of this instance as others reach it, without a slash at the end. */
  publicUrl: string;
  /** Setting MILLRACE_ALLOW_HOST_NETWORK: the instance's part of the right to the network `host`. */
  allowsHostNetwork: boolean;
  /** Setting MILLRACE_ALLOW_PRIVILEGED: the same for steps with privileges. */
  allowsPrivileged: boolean;
  /**
   * A run that is submitted to the queue begins at once where nothing waits before it: so it is where this process starts queued runs. Where
   * it doesn't, an engine finds the run in the queue.
   */
  startsQueuedRuns: boolean;
  /** Teams for which this process is beginning such a run at the moment: what comes meanwhile goes to the queue. */
  beginning: Set<string>;
  /** domain/run/submit-child.ts; handed in because advancing and submitting need each other. */
  submitChild(tx: Transaction, context: RunContext, plan: Plan, parent: RunState, start: ChildStart): Promise<ChildAnswer>;
  /** domain/schedule/schedule-later.ts; handed in for the same reason. */
  scheduleLater(tx: Transaction, context: RunContext, plan: Plan, run: RunState, start: LaterStart): Promise<LaterAnswer>;
}
