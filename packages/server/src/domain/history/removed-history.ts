import type { Reason } from "@millrace/contract/errors.ts";
import { AppError } from "../../base/error/app-error.ts";
import { dateOfId } from "../../core/history/retention.ts";
import { retentionInForce } from "../../core/team/quota.ts";
import type { Queryable } from "../../store/database/database.ts";
import { isLogGone } from "../../store/log/log-chunks.ts";
import { readSettings } from "../../store/settings/settings.ts";
import { findTeam } from "../../store/team/teams.ts";

/**
 * The response for a link to history that was removed. Nothing is stored about removed objects: the id itself contains the time of
 * creation.
 */

const dayMs = 24 * 3600 * 1000;

/** The error for a run, task run or action that doesn't exist. It says if the id is so old that the object may have been removed. */
export async function missingHistory(db: Queryable, reason: Reason, id: string, teamId?: string): Promise<AppError> {
  const madeAt = dateOfId(id);
  // Nothing is removed on its first day, so a new id that doesn't exist needs no query.
  if (madeAt === undefined || ageMs(madeAt) < dayMs) return new AppError(reason, [id, ""]);
  const { runs } = await daysOf(db, teamId);
  if (runs === 0 || ageMs(madeAt) < runs * dayMs) return new AppError(reason, [id, ""]);
  const day = madeAt.toISOString().slice(0, 10);
  const message = `If it existed, it was removed: the ID is from ${day}, and runs are kept for ${runs} days after they end`;
  return new AppError(reason, [id, `. ${message}`], { details: [{ path: "", message }] });
}

/** @throws TASKRUN_LOG_REMOVED if the log was removed because of its age */
export async function refuseRemovedLog(db: Queryable, teamId: string, taskRunId: string): Promise<void> {
  const madeAt = dateOfId(taskRunId);
  if (madeAt === undefined || ageMs(madeAt) < dayMs) return;
  const { logs } = await daysOf(db, teamId);
  if (logs > 0 && (await isLogGone(db, teamId, taskRunId, logs))) throw new AppError("TASKRUN_LOG_REMOVED", [taskRunId, String(logs)]);
}

const ageMs = (at: Date) => Date.now() - at.getTime();

async function daysOf(db: Queryable, teamId: string | undefined) {
  const { retention } = await readSettings(db);
  const team = teamId === undefined ? undefined : await findTeam(db, teamId);
  return retentionInForce(retention, team?.retention ?? {});
}
