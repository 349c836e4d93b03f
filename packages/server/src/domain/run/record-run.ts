import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import { parametersTooLarge } from "../../core/run/result-sizes.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import type { AnswerToKeep } from "../../store/database/idempotency.ts";
import type { RunRow } from "../../store/run/runs.ts";
import { countActiveLocked, insertRun } from "../../store/run/submissions.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import { advanceRuns } from "./advance-runs.ts";
import { type MonthlyQuota, recheckMonthlyQuota } from "./check-quotas.ts";
import { newRunState, type RunContent } from "./new-run-state.ts";
import type { RunContext } from "./run-context.ts";
import type { RunSecrets } from "./run-layers.ts";
import { sealRunSecrets } from "./run-secrets.ts";
import { startInMemory } from "./start-in-memory.ts";

export interface RecordOptions {
  teamName: string;
  maxConcurrent: number;
  /** Its parent waits for it: it begins without a place, and gets one as the runs do that have something to do again. */
  isChild: boolean;
}

export interface RunRecord {
  plan: Plan;
  content: RunContent;
  /** The database's time. */
  now: Date;
  /** The run's id, then one for each node. */
  ids: readonly string[];
  /** Start now, unless that takes a place and the team has none; undefined: the run waits in the queue. */
  start: RecordOptions | undefined;
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
  debug: boolean;
  /** Written with the run, by the same statement. */
  audit?: (runId: string) => AuditRecord;
  /** Kept by the same statement. */
  keep?: ((row: RunRow) => AnswerToKeep) | undefined;
  /** Changes the fresh state before anything happens: what a rerun keeps. */
  prepare?: (state: RunState) => void;
}

/** A run as it was recorded: its state, and its row as reads find it (but for the initiator's name), which so need not be read again. */
export interface RecordedRun extends RunState {
  row: RunRow;
}

/**
 * Records a run with its task runs. A start that needs nothing of the database is computed first, and the rows are inserted as
 * they stand after it; any other start happens on the inserted rows, in the same transaction.
 */
export async function recordRun(tx: Transaction, context: RunContext, record: RunRecord): Promise<RecordedRun> {
  const state = await insertAndStart(tx, context, record);
  return { ...state, row: rowOf(record, state) };
}

/**
 * Records a run by one statement, without a transaction around it, when that is all there is to do: it waits in the queue, or it is over
 * at once. Undefined, and nothing written, when the run needs more.
 */
export async function recordRunAtOnce(db: Queryable, context: RunContext, record: RunRecord): Promise<RecordedRun | undefined> {
  if (record.monthly) return undefined;
  let state = newRunState(record.plan, record.content, record.ids);
  record.prepare?.(state);
  if (record.start) {
    const started = startInMemory(record.plan, state, context.types, true, record.now.getTime());
    if (!started || !isFinal(started.status)) return undefined;
    refuseOversized(started);
    state = started;
  }
  await insertState(db, context, record, state);
  return { ...state, row: rowOf(record, state) };
}

async function insertAndStart(tx: Transaction, context: RunContext, record: RunRecord): Promise<RunState> {
  if (record.monthly) await recheckMonthlyQuota(tx, record.monthly, record.now);
  const state = newRunState(record.plan, record.content, record.ids);
  record.prepare?.(state);
  if (!record.start) {
    await insertState(tx, context, record, state);
    return state;
  }
  const started = startInMemory(record.plan, state, context.types, mayHavePlace(record.start), record.now.getTime());
  const places = await findPlaces(tx, state.teamId, record.start, started);
  if (started) refuseWithoutPlace(places, started);
  await insertState(tx, context, record, started ?? state);
  if (started) {
    refuseOversized(started);
    return started;
  }
  const [change] = await advanceRuns(tx, context, [
    { teamId: state.teamId, id: state.id, events: [{ kind: "start", hasPlace: hasFree(places) }] },
  ]);
  if (!change) return state;
  refuseOversized(change.after);
  refuseWithoutPlace(places, change.after);
  return change.after;
}

/** A start that would write more parameters than a change may have is refused as a whole, instead of being recorded with failed tasks. */
function refuseOversized({ nodes }: RunState): void {
  const task = nodes.find(({ reason }) => reason === parametersTooLarge);
  if (task) throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [`task "${task.name}" can't start: ${task.statusMessage}`]);
}

async function insertState(db: Queryable, context: RunContext, record: RunRecord, state: RunState): Promise<void> {
  const secrets = sealRunSecrets(context.keyring, state.teamId, state.id, record.secrets);
  const kept = record.keep?.(rowOf(record, state));
  await insertRun(db, { ...record, state, secrets, audit: record.audit?.(state.id), kept });
}

interface Places extends RecordOptions {
  /** Runs that have one. */
  active: number;
}

/**
 * The places of the team, counted under its lock where the start may take one. A child run takes none: the row of its parent is locked
 * already, and who locks a run before its team could wait for the engine, which waits for the run.
 */
async function findPlaces(tx: Transaction, teamId: string, start: RecordOptions, started: RunState | undefined): Promise<Places> {
  const mayTakeOne = !start.isChild && start.maxConcurrent !== Number.POSITIVE_INFINITY && started?.activity !== "none";
  return { ...start, active: mayTakeOne ? await countActiveLocked(tx, teamId) : 0 };
}

function mayHavePlace({ isChild, maxConcurrent }: RecordOptions): boolean {
  return !isChild || maxConcurrent === Number.POSITIVE_INFINITY;
}

function hasFree(places: Places): boolean {
  return mayHavePlace(places) && places.active < places.maxConcurrent;
}

function refuseWithoutPlace(places: Places, { activity }: RunState): void {
  const { teamName, active, maxConcurrent } = places;
  if (places.isChild || activity === "none" || hasFree(places)) return;
  throw quotaExceeded("maxConcurrentRuns", { team: teamName, used: active, max: maxConcurrent, retryAfterSeconds: 1 });
}

function rowOf(record: RunRecord, state: RunState): RunRow {
  const { workflowName, workflowDisplayName, workflowVersion, labels, annotations, params, workspaces, initiatedBy, retryOf, debug } =
    record;
  const {
    id,
    status,
    phase,
    activity,
    reason,
    statusMessage,
    timeoutMinutes,
    retries,
    retryCount,
    awaitingApproval,
    warningCount,
    maxActiveMinutes,
    results,
    parentRunId,
  } = state;
  const { workflowId, workflowVersionId, taskVersionIds, trigger } = state;
  return {
    ...{ id, status, phase, activity, reason, statusMessage, timeoutMinutes, retries, retryCount, awaitingApproval, results, parentRunId },
    ...{ workflowId, workflowName, workflowDisplayName, workflowVersion, workflowVersionId, taskVersionIds, trigger },
    ...{ warningCount, maxActiveMinutes },
    ...{ labels, annotations, params, workspaces, initiatedBy, retryOf, debug },
    initiatorName: null,
    createdAt: record.now,
    startedAt: dateOf(state.startedAt),
    endedAt: dateOf(state.endedAt),
  };
}

function dateOf(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}
