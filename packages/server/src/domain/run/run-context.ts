import type { Log } from "../../base/process/log.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { Tracing } from "../../base/trace/tracing.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { ChildAnswer, ChildStart, LaterAnswer, LaterStart, TaskTypes } from "../../core/task/task-type.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { SubmissionBatches } from "../../store/run/submissions.ts";
import type { LiveSettings } from "../settings/live-settings.ts";
import type { MonthlyCapacity, WaitingCapacity } from "./limits/check-quotas.ts";
import type { DatabaseClock, PlanCache, RunStateCache } from "./run-caches.ts";

/** What the rules about runs need besides the transaction: passed in where the process is assembled (app.ts). */
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
  /** Records runs as traces; absent if there is no tracing. */
  tracing?: Tracing | undefined;
  /** Called for each run that starts and ends. */
  log?: Log | undefined;
  /** Public URL of this instance, without a trailing slash. */
  publicUrl: string;
  /** Setting MILLRACE_ALLOW_HOST_NETWORK: the instance's part of the right to the network `host`. */
  allowsHostNetwork: boolean;
  /** Setting MILLRACE_ALLOW_PRIVILEGED: the same for steps with privileges. */
  allowsPrivileged: boolean;
  /**
   * A queued run starts at once if nothing waits before it, provided that this process starts queued runs. Otherwise an engine finds the
   * run in the queue.
   */
  startsQueuedRuns: boolean;
  /** Teams for which this process is starting such a run at the moment. Submissions in the meantime go to the queue. */
  beginning: Set<string>;
  /** domain/run/submit-child.ts; handed in because advancing and submitting need each other. */
  submitChild(tx: Transaction, context: RunContext, plan: Plan, parent: RunState, start: ChildStart): Promise<ChildAnswer>;
  /** domain/schedule/schedule-later.ts; handed in for the same reason. */
  scheduleLater(tx: Transaction, context: RunContext, plan: Plan, run: RunState, start: LaterStart): Promise<LaterAnswer>;
}
