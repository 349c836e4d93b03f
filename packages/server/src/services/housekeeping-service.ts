import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { channels } from "../domain/run/report-changes.ts";
import { originLabel } from "../domain/schedule/schedule-later.ts";
import type { LiveSettings } from "../domain/settings/live-settings.ts";
import { purgeDeletedWorkflows } from "../domain/workflow/delete-workflow.ts";
import type { Database } from "../store/database/database.ts";
import { deleteOldIdempotencyKeys } from "../store/database/idempotency.ts";
import { transaction } from "../store/database/transaction.ts";
import { purgeEmptyTeams, signalRunsOfDeletedTeams } from "../store/history/purge.ts";
import { deleteOverDevices } from "../store/identity/device-sign-ins.ts";
import { deleteOldFailedSignIns } from "../store/identity/failed-sign-ins.ts";
import { deleteOldStates } from "../store/identity/identities.ts";
import { deleteOldInvitations } from "../store/identity/invitation-links.ts";
import { deleteOverSessions } from "../store/identity/sessions.ts";
import { promoteStuckLanes } from "../store/outbound/deliveries.ts";
import { deleteOldCodehostReports, expirePausedDeliveries } from "../store/outbound/delivery-upkeep.ts";
import { deleteOldAttempts } from "../store/run/failed-attempts.ts";
import { pruneFreeSlots } from "../store/run/limits/run-slots.ts";
import {
  deleteOldOutcomeStarts,
  ensurePartitions,
  noteForgottenTeams,
  pruneIdle,
  prunePlaces,
  releaseLostPlaces,
} from "../store/run/queue/engine-upkeep.ts";
import { deleteOldBulk } from "../store/run/run-bulk.ts";
import { updateInsightTallies } from "../store/run/tallies/insight-tallies.ts";
import { updateTaskRunTallies } from "../store/run/tallies/task-run-tallies.ts";
import { updateTimeTallies } from "../store/run/tallies/time-tallies.ts";
import { deleteOldFirings, deleteOldPlannedRuns } from "../store/schedule/due-schedules.ts";
import { deleteLostKeyHolders } from "../store/secret/key-holders.ts";
import { updateRunTallies } from "../store/team/run-tallies.ts";
import { releaseUnusedWorkspaces } from "../store/worker/unused-workspaces.ts";
import { releaseArchived } from "../store/worker/workspace-archives.ts";
import { hideOldTries } from "../store/workflow/hidden-workflows.ts";
import { deleteExpiredEditors } from "../store/workflow/workflow-editors.ts";

const sweepMs = 10_000;
const tallyMs = 5 * 60_000;
/** The totals of insights, and rows that a pause or an end has left behind. */
const upkeepMs = 2 * 60_000;
/** What is removed an hour, a day or more after it ended need not go within the minute. */
const slowMs = 10 * 60_000;
const dailyMs = 24 * 3600 * 1000;
/** How long the outcomes of scheduled times are kept, and the one-time schedules that tasks have created. */
const firingsKeptDays = 30;
/**
 * How long the record of runs that were started by the end of another run is kept; also the time for which a chain of workflows is known.
 */
const followUpsKeptDays = 90;
/** How long the progress of a run, and of its retries, is reported. */
const reportsKeptDays = 7;
/** How long bulk actions on runs are kept after their end. */
const bulkKeptDays = 30;
/** The most that one round removes, so that it does not crowd out other work. */
const purgeBatches = 50;

/**
 * Every few seconds, finds forgotten work, and work that waits for a folder of workspaces that won't come back. Any number of processes may
 * do it.
 * @param bus woken when there is something to claim
 */
export function createSweepService(sql: Database, settings: LiveSettings, bus: EventBus, log: Log): Service {
  return new Loop({
    name: "sweep",
    intervalMs: sweepMs,
    log,
    round: async () => {
      if (!(await noteForgottenTeams(sql))) return undefined;
      const unused = await releaseUnusedWorkspaces(sql);
      const isReleased = await releaseArchived(sql);
      if (isReleased || unused > 0) bus.wake(channels.tasks);
      const { workspaceWaitMinutes } = (await settings.load(sql)).task;
      const folders = await releaseLostPlaces(sql, workspaceWaitMinutes);
      if (folders.length === 0) return undefined;
      log.warn(
        { folders, minutes: workspaceWaitMinutes },
        "tasks fail because no worker with their workspace folder has been seen for too long",
      );
      bus.wake(channels.tasks);
      return undefined;
    },
  });
}

/** Removes what is no longer needed, and creates the partitions of the coming month. */
export function createHousekeepingService(sql: Database, log: Log): Service {
  let madePartitionsAt = Number.NEGATIVE_INFINITY;
  let talliedAt = Number.NEGATIVE_INFINITY;
  let keptUpAt = Number.NEGATIVE_INFINITY;
  let removedAt = Number.NEGATIVE_INFINITY;
  return new Loop({
    name: "housekeeping",
    intervalMs: 60_000,
    log,
    round: async (signal) => {
      if (performance.now() - madePartitionsAt > dailyMs) {
        await ensurePartitions(sql);
        await deleteOldPlannedRuns(sql, originLabel, firingsKeptDays);
        madePartitionsAt = performance.now();
      }
      if (performance.now() - talliedAt > tallyMs) {
        await updateRunTallies(sql);
        await updateTaskRunTallies(sql);
        talliedAt = performance.now();
      }
      if (performance.now() - keptUpAt > upkeepMs) {
        await updateInsightTallies(sql, signal);
        await updateTimeTallies(sql, signal);
        await pruneIdle(sql);
        await prunePlaces(sql);
        await pruneFreeSlots(sql);
        await hideOldTries(sql);
        keptUpAt = performance.now();
      }
      if (performance.now() - removedAt > slowMs) {
        await removeOver(sql);
        removedAt = performance.now();
      }
      await repairLanes(sql, log);
      await signalRunsOfDeletedTeams(sql);
      await purgeEmptyTeams(sql);
      return undefined;
    },
  });
}

/** Nothing reads these rows any more. */
async function removeOver(sql: Database): Promise<void> {
  await deleteOldIdempotencyKeys(sql);
  await deleteOverSessions(sql);
  await deleteOverDevices(sql);
  await deleteLostKeyHolders(sql);
  await deleteOldAttempts(sql);
  await deleteOldBulk(sql, bulkKeptDays);
  await deleteOldStates(sql);
  await deleteOldInvitations(sql);
  await deleteOldFailedSignIns(sql);
  await deleteExpiredEditors(sql);
  await purgeDeletedWorkflows(sql, purgeBatches);
  for (let batches = 1; (await deleteOldFirings(sql, firingsKeptDays)) && batches < purgeBatches; ) batches++;
  await deleteOldOutcomeStarts(sql, followUpsKeptDays);
  for (let batches = 1; (await deleteOldCodehostReports(sql, reportsKeptDays)) && batches < purgeBatches; ) batches++;
}

async function repairLanes(sql: Database, log: Log): Promise<void> {
  await expirePausedDeliveries(sql);
  // After the line above, which may give up the pending delivery of a lane and leave those behind it.
  const promoted = await transaction(sql, promoteStuckLanes);
  if (promoted > 0) log.warn({ lanes: promoted }, "deliveries waited although nothing was ahead of them; sending them now");
}
