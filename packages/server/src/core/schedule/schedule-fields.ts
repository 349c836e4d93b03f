import type { RunParam } from "@millrace/contract/common.ts";
import type { CatchUpPolicy, OverlapPolicy, ScheduleStatus, ScheduleType } from "@millrace/contract/schedule.ts";

/** What a person decides about a schedule, as it is stored. */
export interface ScheduleSettings {
  name: string;
  description: string | null;
  type: ScheduleType;
  /** As it is wanted: whether the trigger of the workflow lets it be active is another question. */
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

/** The same with all that follows from it. */
export interface ScheduleFields extends ScheduleSettings {
  statusMessage: string | null;
  /** Secrets sealed. */
  params: RunParam[];
  /** Both are set exactly while it is active. */
  nextAt: Date | null;
  fireAt: Date | null;
}
