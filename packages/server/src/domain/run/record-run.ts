import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import { defaultPriority } from "@millrace/contract/run/run-control.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import { inSlices } from "../../base/process/slices.ts";
import { advanceSteps } from "../../core/run/advance.ts";
import { noFacts } from "../../core/run/facts.ts";
import { queueRankOf } from "../../core/run/limits/run-limits.ts";
import { parametersTooLarge } from "../../core/run/result-sizes.ts";
import { newRunState, type RunContent, type RunState, type TaskState } from "../../core/run/run-state.ts";
import type { TaskTypes } from "../../core/task/task-type.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { RunControl } from "../../core/workflow/run-control.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { type AnswerToKeep, insertAnswers } from "../../store/database/idempotency.ts";
import { inTransaction, isTransaction } from "../../store/database/transaction.ts";
import { dateOf, recordedRow } from "../../store/run/new-runs.ts";
import type { NewRun } from "../../store/run/run-rows.ts";
import type { RunRow } from "../../store/run/runs.ts";
import { countActiveUnlessLocked } from "../../store/team/team-limits.ts";
import { advanceRuns } from "./advance-runs.ts";
import {
  findPlaces,
  hasFree,
  type MonthlyQuota,
  mayHavePlace,
  recheckMonthlyQuota,
  refuseWithoutPlace,
  type StartOptions,
} from "./limits/check-quotas.ts";
import { requestSlots, type SlotGrant } from "./limits/request-slots.ts";
import type { RunContext } from "./run-context.ts";
import { type RunSecrets, sealRunSecrets } from "./run-layers.ts";

export interface RunRecord {
  plan: Plan;
  content: RunContent;
  /** The database's time. */
  now: Date;
  /** The run's id, then one for each node. */
  ids: readonly string[];
  /** Undefined: the run waits in the queue for an engine. */
  start: StartOptions | undefined;
  /** So little of the quota is left that it must be counted under the team's lock. */
  monthly: MonthlyQuota | undefined;
  workflowName: string;
  workflowDisplayName: string;
  workflowVersion: number;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  params: { name: string; value: unknown }[];
  secrets: RunSecrets;
  workspaces: WorkflowWorkspace[];
  initiatedBy: string | null;
  retryOf: string | null;
  /** People, besides the initiator, who count as having started the run (queued-runs.ts). */
  amendedBy?: readonly string[];
  debug: boolean;
  /** In the queue; absent: that of the workflow. */
  priority?: number | undefined;
  /** The slots that its workflow's limits gave it (request-slots.ts). */
  slots?: SlotGrant;
  /** Written by the same statement as the run. */
  audit?: (runId: string) => AuditRecord;
  /** Stored by the same statement. */
  keep?: ((row: RunRow) => AnswerToKeep) | undefined;
  /** Changes the initial state before anything happens: what a rerun reuses. */
  prepare?: (state: RunState) => void;
}

/** A recorded run: its state, and its row as a read would return it (without the initiator's name), so that it need not be read again. */
export interface RecordedRun extends RunState {
  row: RunRow;
  /** Its row if a run of the queue, which `row` still shows there, has even ended with its submission. */
  ended?: RunRow;
}

/** A run that is about to be recorded. */
interface Recording {
  record: RunRecord;
  /** Before it begins. */
  fresh: RunState;
  /** After its start, if that needs nothing from the database. */
  started: RunState | undefined;
}

/**
 * Records a run with its task runs. A start that needs nothing from the database is computed first, and the rows are inserted in the state
 * after it; any other start happens on the inserted rows. A run that waits in the queue, or needs no slot when it starts, takes one
 * statement: with the pool as `db` nothing else is sent. Everything else is one transaction, the caller's if `db` is its handle.
 */
export async function recordRun(db: Queryable, context: RunContext, record: RunRecord): Promise<RecordedRun> {
  const { control } = record.plan;
  if (!control) return recordFree(db, context, record.priority === undefined ? record : withRank(record, defaultPriority));
  const mayBegin = !isTransaction(db);
  await context.batches.written();
  return inTransaction(db, (tx) => recordLimited(tx, context, record, { control, mayBegin }));
}

/** A run that waits for more events. It requests its slots when it stops collecting (collect-event.ts). */
export async function recordHeld(tx: Transaction, context: RunContext, record: RunRecord): Promise<RecordedRun> {
  const ranked = withRank(record, record.plan.control?.priority ?? defaultPriority);
  return recordFree(tx, context, { ...ranked, start: undefined, slots: { ...heldForEvents, queueRank: ranked.slots?.queueRank } });
}

/** The result for an event that was added to an existing run: as if the run had been recorded. */
export async function answerJoined(context: RunContext, record: RunRecord): Promise<RecordedRun> {
  const recording = await prepareRecording(context, { ...record, start: undefined, slots: heldForEvents });
  return { ...recording.fresh, row: answeredRow(recording, recording.fresh) };
}

const heldForEvents: SlotGrant = { heldFor: "events", slotKey: undefined, queueRank: undefined, skipped: undefined };

/** With its position in the queue. @param own the priority of its workflow */
function withRank(record: RunRecord, own: number): RunRecord {
  const queueRank = queueRankOf(record.ids[0] as string, record.priority ?? own);
  return queueRank === undefined ? record : { ...record, slots: { heldFor: null, slotKey: undefined, queueRank, skipped: undefined } };
}

interface LimitedRecording {
  control: RunControl;
  /** The transaction is for this run alone, so it may lock the team for the start. */
  mayBegin: boolean;
}

/** Of a workflow that limits or orders its runs. A run on hold waits for an engine, whatever its start was to be. */
async function recordLimited(
  tx: Transaction,
  context: RunContext,
  record: RunRecord,
  { control, mayBegin }: LimitedRecording,
): Promise<RecordedRun> {
  const { content, ids, start, priority } = record;
  const { teamId, workflowId, layers } = content;
  const mustStart = start?.otherwise === "refused" && !start.isChild;
  const slots = await requestSlots(tx, { teamId, workflowId, id: ids[0] as string, layers, priority, mustStart }, control);
  if (slots.skipped !== undefined) return recordSkipped(tx, context, { ...record, slots, start: undefined }, slots.skipped);
  return recordFree(tx, context, { ...record, slots, ...(slots.heldFor !== null && { start: undefined }) }, mayBegin);
}

/** A run that won't run is recorded all the same, so that none is lost silently. */
async function recordSkipped(tx: Transaction, context: RunContext, { keep, ...record }: RunRecord, message: string): Promise<RecordedRun> {
  const { row: queued, ...state } = await recordFree(tx, context, record);
  const event = { kind: "cancel", reason: "Skipped", message } as const;
  const [change] = await advanceRuns(tx, context, [{ teamId: state.teamId, id: state.id, events: [event] }]);
  if (!change) throw new Error(`run ${state.id} was recorded to be skipped, and could not be cancelled`);
  const { status, phase, reason, statusMessage, endedAt } = change.after;
  const row = { ...queued, status, phase, reason, statusMessage, endedAt: dateOf(endedAt) };
  if (keep) await insertAnswers(tx, [keep(row)]);
  return { ...change.after, row };
}

async function recordFree(db: Queryable, context: RunContext, record: RunRecord, mayBegin = !isTransaction(db)): Promise<RecordedRun> {
  const recording = await prepareRecording(context, record);
  const state = await recordAndStart(db, context, recording, mayBegin);
  const row = answeredRow(recording, state);
  if (!isFinal(state.status) || isFinal(row.status)) return { ...state, row };
  return { ...state, row, ended: recordedRow(record, state) };
}

async function prepareRecording(context: RunContext, record: RunRecord): Promise<Recording> {
  const { plan, content, ids, start, now } = record;
  const fresh = newRunState(plan, content, ids);
  record.prepare?.(fresh);
  if (record.slots) fresh.heldFor = record.slots.heldFor;
  const started = start && (await startInMemory(plan, fresh, context.types, mayHavePlace(start), now.getTime()));
  if (start?.otherwise === "queued") return { record, fresh, started: started && !oversizedTask(started) ? started : undefined };
  if (started) refuseOversized(started);
  return { record, fresh, started };
}

async function recordAndStart(db: Queryable, context: RunContext, recording: Recording, mayBegin: boolean): Promise<RunState> {
  const { record, fresh, started } = recording;
  const { start, monthly } = record;
  const waits = start === undefined || (start.otherwise === "queued" && (started === undefined || !mayBegin));
  const isOneStatement = !monthly && (waits || started?.activity === "none");
  if (isOneStatement) return insertState(db, context, recording, started?.activity === "none" ? started : fresh);
  if (start?.otherwise === "queued" && !monthly) return beginOrQueue(db, context, recording);
  // Besides a slot, it needs nothing from the database.
  if (started?.activity === "active" && !monthly && !isTransaction(db) && start && Number.isFinite(start.maxConcurrent)) {
    if (await context.batches.begin(db, newRun(context, recording, started), start.maxConcurrent)) return started;
  }
  return inTransaction(db, (tx) => insertAndStart(tx, context, recording));
}

/**
 * Starts a run of the queue if its team has a slot, and if that can be found out without waiting for another transaction. Only one at a
 * time for each team: submissions in the meantime are queued, and an engine starts them in a batch.
 */
async function beginOrQueue(db: Queryable, context: RunContext, recording: Recording): Promise<RunState> {
  const { fresh, started, record } = recording;
  const { teamId } = fresh;
  if (context.beginning.has(teamId) || !started || !record.start) return insertState(db, context, recording, fresh);
  const { maxConcurrent } = record.start;
  context.beginning.add(teamId);
  try {
    return await inTransaction(db, async (tx) => {
      const active = await countActiveUnlessLocked(tx, teamId);
      return insertState(tx, context, recording, active !== undefined && active < maxConcurrent ? started : fresh);
    });
  } finally {
    context.beginning.delete(teamId);
  }
}

/**
 * Starts a run that is not in the database yet. Undefined if the start needs a fact from the database, opens an action or releases a lock:
 * then it must happen on real rows.
 *
 * @param hasPlace whether its tasks may go to workers at once
 * @param now epoch milliseconds of the database
 */
async function startInMemory(plan: Plan, state: RunState, types: TaskTypes, hasPlace: boolean, now: number): Promise<RunState | undefined> {
  const facts = noFacts();
  const { change } = await inSlices(advanceSteps(plan, state, [{ kind: "start", hasPlace }], facts, types, now));
  if (!change || change.actions.length > 0 || change.signals.length > 0 || change.attempts.length > 0) return undefined;
  if (change.releasedLocks !== "all" && change.releasedLocks.length > 0) return undefined;
  return change.after;
}

async function insertAndStart(tx: Transaction, context: RunContext, recording: Recording): Promise<RunState> {
  const { fresh, started, record } = recording;
  const { monthly, now, start } = record;
  await context.batches.written();
  if (monthly) await recheckMonthlyQuota(tx, monthly, now);
  if (start?.otherwise !== "refused") return insertState(tx, context, recording, started?.activity === "none" ? started : fresh);
  const places = await findPlaces(tx, fresh.teamId, start, started);
  if (started) refuseWithoutPlace(places, started);
  if (started) return insertState(tx, context, recording, started);
  // The response is kept after the start, which it shows.
  const state = await insertState(tx, context, { ...recording, record: { ...record, keep: undefined } }, fresh);
  const [change] = await advanceRuns(tx, context, [
    { teamId: state.teamId, id: state.id, events: [{ kind: "start", hasPlace: hasFree(places) }] },
  ]);
  const after = change?.after ?? state;
  if (change) {
    refuseOversized(after);
    refuseWithoutPlace(places, after);
  }
  if (record.keep) await insertAnswers(tx, [record.keep(answeredRow(recording, after))]);
  return after;
}

/** A start that would write more parameters than a change may have is refused as a whole, instead of being recorded with failed tasks. */
function refuseOversized(state: RunState): void {
  const task = oversizedTask(state);
  if (task) throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [`task "${task.name}" can't start: ${task.statusMessage}`]);
}

function oversizedTask({ nodes }: RunState): TaskState | undefined {
  return nodes.find(({ reason }) => reason === parametersTooLarge);
}

async function insertState(db: Queryable, context: RunContext, recording: Recording, state: RunState): Promise<RunState> {
  await context.batches.insert(db, newRun(context, recording, state));
  return state;
}

function newRun(context: RunContext, recording: Recording, state: RunState): NewRun {
  const { record } = recording;
  const secrets = sealRunSecrets(context.keyring, state.teamId, state.id, record.secrets);
  const { plan, now, workflowVersion, labels, annotations, params, workspaces, initiatedBy, retryOf, amendedBy, debug, slots } = record;
  return {
    state,
    plan,
    now,
    workflowVersion,
    labels,
    annotations,
    params,
    secrets,
    workspaces,
    initiatedBy,
    retryOf,
    amendedBy,
    debug,
    slotKey: slots?.slotKey,
    queueRank: slots?.queueRank,
    audit: record.audit?.(state.id),
    kept: record.keep?.(answeredRow(recording, state)),
  };
}

/** The response to a queued submission shows the run in the queue, even if it has started. */
function answeredRow({ record, fresh }: Recording, state: RunState): RunRow {
  return recordedRow(record, record.start?.otherwise === "queued" ? fresh : state);
}
