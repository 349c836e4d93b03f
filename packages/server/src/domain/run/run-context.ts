import type { Keyring } from "../../base/secret/keyring.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { ChildAnswer, ChildStart, LaterAnswer, LaterStart, TaskTypes } from "../../core/task/task-type.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { LiveSettings } from "../settings/live-settings.ts";
import type { DurationMemory } from "../team/duration-memory.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { MonthlyCapacity } from "./monthly-capacity.ts";
import type { PlanCache } from "./plan-cache.ts";
import type { RunStateCache } from "./run-state-cache.ts";
import type { WaitingCapacity } from "./waiting-capacity.ts";

/** What the rules about runs need beyond the transaction: handed in where the process is put together (app.ts). */
export interface RunContext {
  types: TaskTypes;
  plans: PlanCache;
  monthlyCapacity: MonthlyCapacity;
  waitingCapacity: WaitingCapacity;
  settings: LiveSettings;
  durations: DurationMemory;
  states: RunStateCache;
  clock: DatabaseClock;
  keyring: Keyring;
  /** Address of this instance as others reach it, without a slash at the end. */
  publicUrl: string;
  /** Setting MILLRACE_ALLOW_HOST_NETWORK: the instance's part of the right to the network `host`. */
  allowsHostNetwork: boolean;
  /** domain/run/submit-child.ts; handed in because advancing and submitting need each other. */
  submitChild(tx: Transaction, context: RunContext, plan: Plan, parent: RunState, wish: ChildStart): Promise<ChildAnswer>;
  /** domain/schedule/schedule-later.ts; handed in for the same reason. */
  scheduleLater(tx: Transaction, context: RunContext, plan: Plan, run: RunState, wish: LaterStart): Promise<LaterAnswer>;
}
