import type { RunParam } from "@millrace/contract/common.ts";
import type { CatchUpPolicy, OverlapPolicy, ScheduleStatus, ScheduleType } from "@millrace/contract/schedule.ts";

/** The settings of a schedule that users choose, as they are stored. */
export interface ScheduleSettings {
  name: string;
  description: string | null;
  type: ScheduleType;
  /** The wanted status, even if the trigger of the workflow does not let it be active. */
  status: ScheduleStatus;
  labels: Record<string, string>;
  /** Null for runOnce, as `dateAt` is for all others. */
  cron: string | null;
  dateAt: Date | null;
  timezone: string;
  overlapPolicy: OverlapPolicy;
  catchUpPolicy: CatchUpPolicy;
  /** Null: the default of the policy. */
  catchUpWindowMinutes: number | null;
  jitterSeconds: number;
  exclusions: string[];
}

/** The settings with everything that is derived from them. */
export interface ScheduleFields extends ScheduleSettings {
  statusMessage: string | null;
  /** Secrets sealed. */
  params: RunParam[];
  /** Both are set if and only if it is active. */
  nextAt: Date | null;
  fireAt: Date | null;
}
