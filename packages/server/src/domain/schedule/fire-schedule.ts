import type { WorkflowSubmitRequest } from "@millrace/contract/run/run.ts";
import type { ScheduleStatus } from "@millrace/contract/schedule.ts";
import { AppError } from "../../base/error/app-error.ts";
import { fireAt } from "../../core/schedule/arm-schedule.ts";
import { type FiringPlan, planFirings } from "../../core/schedule/plan-firings.ts";
import { openScheduleParams } from "../../core/schedule/schedule-params.ts";
import { compileTiming } from "../../core/schedule/timing.ts";
import type { Transaction } from "../../store/database/database.ts";
import { TransactionSubmissions } from "../../store/run/transaction-submissions.ts";
import { type DueSchedule, type FiredSchedule, recordFired } from "../../store/schedule/due-schedules.ts";
import { countOpenRunsOfSchedules, type NewFiring, signalOpenRunsOfSchedule } from "../../store/schedule/schedule-firings.ts";
import type { ScheduleProgress } from "../../store/schedule/schedules.ts";
import { noteMissedTimes } from "../alert/note-missed-times.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { submitRun } from "../run/submit-run.ts";
import { scheduleSecrets } from "./schedule-secrets.ts";

/**
 * Fires due schedules. The caller's transaction has locked their rows (store/schedule/due-schedules.ts); in it the runs are submitted, the
 * firings recorded and the schedules moved on to their next times. So if a process dies at any point, either all of that happened or
 * nothing did, and the next process finds the time done or still due. The key of `schedule_firing` would refuse a second run for the same
 * time.
 *
 * What the submission refuses (a quota, an inactive team or workflow, parameters that do not fit any more) is recorded, and the schedule
 * continues with its next time: it does not know when the reason will be gone.
 */

/** The outcomes of schedules, for the log and the metrics after the commit. */
export interface Fired {
  schedules: FiredSchedule[];
  runs: RecordedRun[];
  /** The kinds of the recorded alerts. */
  alerts: string[];
  /** By the database's clock. */
  at: Date | undefined;
}

/** Task runs of one transaction, which the process keeps until its commit. */
const defaultMostTasks = 20_000;

/**
 * @param mostTasks once their runs have so many task runs, the remaining schedules stay due
 * @returns the outcomes of those that were fired, of at least the first one
 */
export async function fireSchedules(
  tx: Transaction,
  context: RunContext,
  dues: readonly DueSchedule[],
  mostTasks = defaultMostTasks,
): Promise<Fired> {
  const fired: FiredSchedule[] = [];
  const runs: RecordedRun[] = [];
  const batches = new TransactionSubmissions(tx);
  const shared = { ...context, batches };
  const open = await countOpenRuns(tx, dues);
  await batches.readAhead(dues.map(({ teamId, workflowId: ref }) => ({ teamId, ref, version: undefined })));
  let tasks = 0;
  for (const due of dues) {
    if (tasks >= mostTasks) break;
    const { firings, next } = await fireSchedule(tx, shared, due, open.get(due.id));
    runs.push(...firings.flatMap(({ run }) => run ?? []));
    tasks = runs.reduce((sum, { nodes }) => sum + nodes.length, 0);
    fired.push({ teamId: due.teamId, id: due.id, firings: firings.map(({ record }) => record), progress: progressOf(due, next, firings) });
  }
  await batches.written();
  if (fired.length > 0) await recordFired(tx, fired);
  const alerts = await noteMissedTimes(tx, context, dues, fired);
  return { schedules: fired, runs, alerts, at: dues[0]?.now };
}

/** How many runs of each schedule are open, if its policy asks for that. */
async function countOpenRuns(tx: Transaction, dues: readonly DueSchedule[]): Promise<Map<string, number>> {
  const asking = dues.filter(({ overlapPolicy }) => overlapPolicy !== "queue");
  const counts = await countOpenRunsOfSchedules(tx, asking.map(initiatorOf));
  return new Map(asking.map(({ id }, index) => [id, counts[index] ?? 0]));
}

const initiatorOf = ({ teamId, id }: DueSchedule) => ({ teamId, initiatedBy: `schedule:${id}` });

/** @param open the open runs of the schedule; undefined: it does not matter */
async function fireSchedule(
  tx: Transaction,
  context: RunContext,
  due: DueSchedule,
  open: number | undefined,
): Promise<{ firings: Firing[]; next: Date | undefined }> {
  const plan = planFirings(compileTiming(due), { ...due, nextAt: due.nextAt as Date }, due.now);
  const recorded = new Set(due.recorded.map((time) => time.getTime()));
  const isNew = (time: Date) => !recorded.has(time.getTime());
  const firings: Firing[] = plan.missed && isNew(plan.missed.from) ? [missedFiring(due, plan, plan.missed)] : [];
  for (const time of plan.fire.filter(isNew)) {
    const isFirst = !firings.some(({ run }) => run);
    firings.push(await fireOnce(tx, context, due, time, isFirst ? open : await recount(tx, context, due)));
  }
  return { firings, next: plan.next };
}

/** With the runs that this transaction has started. */
async function recount(tx: Transaction, context: RunContext, due: DueSchedule): Promise<number | undefined> {
  if (due.overlapPolicy === "queue") return undefined;
  await context.batches.written();
  const [open] = await countOpenRunsOfSchedules(tx, [initiatorOf(due)]);
  return open;
}

interface Firing {
  record: NewFiring;
  run?: RecordedRun;
  /** The schedule can't continue, and why. */
  ends?: ScheduleStatus;
}

function missedFiring({ catchUpPolicy }: DueSchedule, plan: FiringPlan, missed: NonNullable<FiringPlan["missed"]>): Firing {
  const { from, to, count, isMore } = missed;
  const times = count === 1 ? "A time" : `${count}${isMore ? " and more" : ""} times until ${to.toISOString()}`;
  const isMadeUpFor = catchUpPolicy === "one" && plan.fire.length > 0;
  const lost = catchUpPolicy === "none" ? "and catchUpPolicy is none" : "they are older than the catch-up limit";
  const message = `${times} passed while the service was down, ${isMadeUpFor ? "and one run replaces them" : lost}`;
  return { record: { scheduledFor: from, outcome: "missed", count, runId: null, message } };
}

async function fireOnce(tx: Transaction, context: RunContext, due: DueSchedule, scheduledFor: Date, open = 0): Promise<Firing> {
  const record = { scheduledFor, count: 1, runId: null };
  const { initiatedBy } = initiatorOf(due);
  if (open > 0 && due.overlapPolicy === "skip") {
    const message = `${open === 1 ? "A run of this schedule is" : `${open} runs of this schedule are`} still open (overlapPolicy skip)`;
    return { record: { ...record, outcome: "skipped", message } };
  }
  try {
    const run = await submitDue(tx, context, due, initiatedBy);
    if (open > 0) await cancelOlder(tx, context, due, run);
    return { record: { ...record, outcome: "submitted", runId: run.id, message: null }, run };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { record: { ...record, outcome: "refused", message: error.message }, ...endOf(error) };
  }
}

/** Only if there is a new run: after a refused submission the old runs continue. */
async function cancelOlder(tx: Transaction, context: RunContext, due: DueSchedule, run: RecordedRun): Promise<void> {
  await context.batches.written();
  await signalOpenRunsOfSchedule(tx, due.teamId, initiatorOf(due).initiatedBy, {
    but: run.id,
    message: `Cancelled: run ${run.id} of the same schedule replaces it`,
  });
}

function submitDue(tx: Transaction, context: RunContext, due: DueSchedule, initiatedBy: string): Promise<RecordedRun> {
  const { params, secretParams } = openScheduleParams(due.params, scheduleSecrets(context.keyring, due.teamId).open);
  const request: WorkflowSubmitRequest = { params, labels: due.labels, trigger: "schedule" };
  const { teamId, workflowId: workflow, lineage } = due;
  return submitRun(tx, context, { teamId, workflow, request, start: false, initiatedBy, secretParams, lineage });
}

/** Reasons that don't go away on their own. */
function endOf({ reason }: AppError): { ends?: ScheduleStatus } {
  if (reason === "WORKFLOWRUN_TRIGGER_DISABLED") return { ends: "trigger_disabled" };
  return reason === "WORKFLOW_INVALID_REFERENCE" || reason === "TEAM_INVALID_REF" ? { ends: "error" } : {};
}

function progressOf(due: DueSchedule, next: Date | undefined, firings: readonly Firing[]): ScheduleProgress {
  const submitted = firings.findLast(({ run }) => run)?.record;
  const last = firings.at(-1);
  const status = firings.find(({ ends }) => ends)?.ends ?? (next ? "active" : endStatus(due, firings));
  const nextAt = status === "active" && next ? next : null;
  return {
    status,
    statusMessage: last?.record.message ?? null,
    nextAt,
    fireAt: nextAt && fireAt(due.id, nextAt, due.jitterSeconds),
    lastAt: submitted?.scheduledFor ?? due.lastAt,
    lastRunId: submitted?.runId ?? due.lastRunId,
  };
}

/** A one-time schedule without its run is not completed. */
function endStatus({ type }: DueSchedule, firings: readonly Firing[]): ScheduleStatus {
  return type === "runOnce" && firings.length > 0 && !firings.some(({ run }) => run) ? "error" : "completed";
}
