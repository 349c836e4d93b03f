import type { RunParam } from "@millrace/contract/common.ts";
import type { WorkflowSubmitRequest } from "@millrace/contract/run/run.ts";
import type { ScheduleBackfillTime } from "@millrace/contract/schedule.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import { openScheduleParams } from "../../core/schedule/schedule-params.ts";
import { type BackfillRange, backfillTimes } from "../../core/schedule/timing.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import { readClock } from "../../store/database/clock.ts";
import type { Transaction } from "../../store/database/database.ts";
import { type FiringRow, findFirings, recordLateFirings } from "../../store/schedule/schedule-firings.ts";
import { lockSchedule, type ScheduleRow } from "../../store/schedule/schedules.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { submitRun } from "../run/submit-run.ts";
import { scheduleSecrets } from "./schedule-secrets.ts";

/** Annotations of a run that someone started manually: its schedule, and which of its times it is for. */
const scheduleAnnotation = "millrace.dev/schedule";
const timeAnnotation = "millrace.dev/scheduled-for";

interface OutOfTurn {
  teamId: string;
  /** The requester. The run does not count as the schedule's own, which the overlap policy counts and cancels. */
  initiatedBy: string;
  /** For a time of the past. */
  time?: Date;
  /** Overrides parameters of the schedule with the same name. */
  params?: readonly RunParam[];
  audit?: (runId: string) => AuditRecord;
  /** Of the request. */
  lineage?: Lineage;
}

/** Submits a run with everything that a schedule gives to its runs, on request and not because it is due. */
export function submitForSchedule(
  tx: Transaction,
  context: RunContext,
  schedule: ScheduleRow,
  { teamId, initiatedBy, time, params: given = [], audit, lineage = [] }: OutOfTurn,
): Promise<RecordedRun> {
  const { params, secretParams } = openScheduleParams(schedule.params, scheduleSecrets(context.keyring, teamId).open);
  const names = new Set(given.map(({ name }) => name));
  const request: WorkflowSubmitRequest = {
    params: [...params.filter(({ name }) => !names.has(name)), ...given],
    labels: schedule.labels,
    annotations: { [scheduleAnnotation]: schedule.id, ...(time && { [timeAnnotation]: time.toISOString() }) },
    trigger: "schedule",
  };
  const workflow = schedule.workflowId;
  const asked = { request, start: false, initiatedBy, lineage, refusesLoops: true };
  return submitRun(tx, context, { teamId, workflow, ...asked, secretParams, ...(audit && { audit }) });
}

interface BackfillRequest extends BackfillRange {
  teamId: string;
  scheduleId: string;
  onlyWorkflowId: string | undefined;
  initiatedBy: string;
  /** Receives the time of each run. */
  timeParam: string | undefined;
  isPreview: boolean;
  lineage: Lineage;
}

interface Backfilled {
  schedule: ScheduleRow;
  times: ScheduleBackfillTime[];
  runs: RecordedRun[];
}

/**
 * Starts runs for past times of a schedule that have none, whatever is recorded of them: they were missed, skipped or refused, or the
 * schedule was paused or did not exist. The schedule is locked, so that the engine does not fire one of them meanwhile; it finds them
 * recorded afterwards. All of it happens or nothing: what the submission refuses refuses the backfill.
 *
 * @throws SCHEDULE_INVALID_REF, SCHEDULE_INVALID_REQ, and what a submission throws
 */
export async function backfillSchedule(tx: Transaction, context: RunContext, request: BackfillRequest): Promise<Backfilled> {
  const schedule = await lockSchedule(tx, request.teamId, request.scheduleId, request.onlyWorkflowId);
  if (!schedule) throw new AppError("SCHEDULE_INVALID_REF", [request.scheduleId]);
  if (schedule.status === "archived") {
    throw new AppError("SCHEDULE_INVALID_REQ", ["it is archived; set its status to active or inactive to backfill it"]);
  }
  const dates = backfillTimes(schedule, request, await readClock(tx));
  const recorded = new Map((await findFirings(tx, request.teamId, schedule.id, dates)).map((row) => [row.scheduledFor.getTime(), row]));
  const times = dates.map((date): BackfillTime => {
    const row = recorded.get(date.getTime());
    return {
      message: messageOf(row),
      scheduledDate: date.toISOString(),
      isNew: row?.outcome !== "submitted",
      ...(row && { outcome: row.outcome }),
      ...(row?.runId && { workflowRunRef: row.runId }),
    };
  });
  const runs = request.isPreview ? [] : await startRuns(tx, context, schedule, request, times);
  return { schedule, times: times.map(({ message: _, ...time }) => time), runs };
}

interface BackfillTime extends ScheduleBackfillTime {
  /** For the record of its run: the earlier outcome of that time. */
  message: string;
}

/** One firing for each new time, oldest first, with its run. */
async function startRuns(
  tx: Transaction,
  context: RunContext,
  schedule: ScheduleRow,
  { teamId, initiatedBy, timeParam, lineage }: BackfillRequest,
  times: BackfillTime[],
): Promise<RecordedRun[]> {
  const runs: RecordedRun[] = [];
  const firings: { scheduledFor: Date; runId: string; message: string }[] = [];
  for (const time of times.filter(({ isNew }) => isNew)) {
    const at = new Date(time.scheduledDate);
    const params = timeParam === undefined ? [] : [{ name: timeParam, value: time.scheduledDate }];
    const run = await submitForSchedule(tx, context, schedule, { teamId, initiatedBy, time: at, params, lineage });
    runs.push(run);
    firings.push({ scheduledFor: at, runId: run.id, message: time.message });
    time.workflowRunRef = run.id;
  }
  if (firings.length === 0) return runs;
  const count = await recordLateFirings(tx, teamId, schedule.id, firings);
  if (count !== firings.length) throw new Error(`${firings.length - count} times of schedule ${schedule.id} got a run while it was locked`);
  return runs;
}

function messageOf(row: FiringRow | undefined): string {
  if (!row) return "Backfilled";
  return row.count === 1
    ? `Backfilled; it had been ${row.outcome} before`
    : `Backfilled; it was the first of ${row.count} that were ${row.outcome}`;
}
