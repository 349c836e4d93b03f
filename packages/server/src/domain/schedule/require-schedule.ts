import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findSchedule, type ScheduleRow } from "../../store/schedule/schedules.ts";

/**
 * @param onlyWorkflowId of a caller who sees the schedules of one workflow only
 * @throws SCHEDULE_INVALID_REF
 */
export async function requireSchedule(db: Queryable, teamId: string, id: string, onlyWorkflowId: string | undefined): Promise<ScheduleRow> {
  const schedule = await findSchedule(db, teamId, id, onlyWorkflowId);
  if (!schedule) throw new AppError("SCHEDULE_INVALID_REF", [id]);
  return schedule;
}
