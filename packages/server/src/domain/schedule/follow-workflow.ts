import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { isSecretParam } from "../../core/parameter/secret-params.ts";
import { type Armed, armSchedule } from "../../core/schedule/arm-schedule.ts";
import { resealScheduleParams } from "../../core/schedule/schedule-params.ts";
import { readClock } from "../../store/database/clock.ts";
import type { Queryable } from "../../store/database/database.ts";
import {
  disableSchedulesOfWorkflow,
  lockDisabledSchedules,
  lockSchedulesWithParams,
  moveSchedule,
  updateScheduleParams,
} from "../../store/schedule/schedules.ts";
import type { WorkflowRow } from "../../store/workflow/workflows.ts";
import { scheduleSecrets } from "./schedule-secrets.ts";

/**
 * Lets the schedules of a workflow follow a change of it, in the transaction of the change and under the workflow's lock. When its
 * schedule trigger is turned off they stop, and when it is turned on again they continue: with their next time from now, not with what they
 * would have missed meanwhile. What has become a secret parameter is sealed in them.
 */
export async function followWorkflow(
  db: Queryable,
  { team, keyring }: { team: { id: string }; keyring: Keyring },
  workflow: Pick<WorkflowRow, "id" | "triggers">,
  params: readonly AbstractParam[],
): Promise<void> {
  if (workflow.triggers.schedule.enabled) await enableSchedules(db, team.id, workflow.id);
  else await disableSchedulesOfWorkflow(db, team.id, workflow.id);
  const secretNames = new Set(params.filter(isSecretParam).map(({ name }) => name));
  if (secretNames.size > 0) await resealSchedules(db, team.id, workflow.id, secretNames, keyring);
}

async function enableSchedules(db: Queryable, teamId: string, workflowId: string): Promise<void> {
  const schedules = await lockDisabledSchedules(db, teamId, workflowId);
  const now = schedules.length > 0 ? await readClock(db) : undefined;
  for (const schedule of schedules) {
    await moveSchedule(db, teamId, schedule.id, {
      ...schedule,
      ...armOrGiveUp(() => armSchedule(schedule, { id: schedule.id, isTriggerEnabled: true, now: now as Date })),
    });
  }
}

/** The write is about the workflow, so a schedule whose time is over does not prevent it. */
function armOrGiveUp(arm: () => Armed): Armed {
  try {
    return arm();
  } catch (error) {
    if (error instanceof AppError) return { status: "error", statusMessage: error.message, nextAt: null, fireAt: null };
    throw error;
  }
}

async function resealSchedules(
  db: Queryable,
  teamId: string,
  workflowId: string,
  secretNames: ReadonlySet<string>,
  keyring: Keyring,
): Promise<void> {
  const { seal } = scheduleSecrets(keyring, teamId);
  for (const { id, params } of await lockSchedulesWithParams(db, teamId, workflowId)) {
    const sealed = resealScheduleParams(params, secretNames, seal);
    if (sealed.some((param, index) => param !== params[index])) await updateScheduleParams(db, teamId, id, sealed);
  }
}
