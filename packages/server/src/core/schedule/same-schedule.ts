import { isSameJson } from "../document/same-json.ts";
import type { ScheduleFields, ScheduleSettings } from "./schedule-fields.ts";

/** Would the schedule stay what it is? What follows from the clock is not examined. */
export function isSameSchedule(
  wanted: Pick<ScheduleFields, keyof ScheduleSettings | "params">,
  current: ScheduleFields,
  isTriggerEnabled: boolean,
): boolean {
  const parts = ({ name, description, type, labels, cron, dateAt, timezone, params, ...rest }: typeof wanted) => {
    const { overlapPolicy, catchUpPolicy, catchUpWindowMinutes, jitterSeconds, exclusions } = rest;
    const policies = [overlapPolicy, catchUpPolicy, catchUpWindowMinutes, jitterSeconds, exclusions];
    return [name, description, type, labels, cron, dateAt?.toISOString(), timezone, params, ...policies];
  };
  return isSameStatus(wanted.status, current.status, isTriggerEnabled) && isSameJson(parts(wanted), parts(current));
}

/** A schedule that should be active counts as unchanged also if the trigger of its workflow is disabled, or after its only time. */
function isSameStatus(wanted: ScheduleFields["status"], current: ScheduleFields["status"], isTriggerEnabled: boolean): boolean {
  if (wanted === current || wanted !== "active") return wanted === current;
  return current === "completed" || (current === "trigger_disabled" && !isTriggerEnabled);
}
