import { AppError } from "../../base/error/app-error.ts";
import { listWaitKinds, type RunState, type TaskState } from "../../core/run/run-state.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isOutage, sqlState } from "../database/database-error.ts";
import { type AnswerToKeep, insertAnswers } from "../database/idempotency.ts";
import { auditRow, encodeRows, type NewRun, newTaskRow, runRow } from "./run-rows.ts";
import type { RunRow } from "./runs.ts";

/** A run in the form in which `insertRuns` sends it. */
export interface EncodedRun {
  id: string;
  teamId: string;
  /** How errors name them. */
  teamName: unknown;
  workflowId: string;
  /** JSON of its row, of those of its task runs (a list), and of its audit record; empty if it has none. */
  row: string;
  tasks: string;
  audit: string;
  /** The response to store with it. */
  kept: AnswerToKeep | undefined;
  /** Some of its tasks can be claimed, and it has workspaces: they are claimed where those are. */
  isPlaced: boolean;
  hasWork: boolean;
}

export async function encodeRun(run: NewRun): Promise<EncodedRun> {
  const { state, audit, kept, workspaces } = run;
  const tasks = [...state.nodes, ...[...state.items.values()].flatMap((items) => [...items])];
  return {
    id: state.id,
    teamId: state.teamId,
    teamName: state.layers.context?.["team-name"] ?? state.teamId,
    workflowId: state.workflowId,
    row: JSON.stringify(runRow(run)),
    tasks: await encodeRows(taskRows(run, tasks)),
    audit: audit ? JSON.stringify(auditRow(audit)) : "",
    kept,
    isPlaced: workspaces.length > 0 && hasReady(state),
    hasWork: state.phase === "pending" || state.activity === "wanted" || hasReady(state),
  };
}

/** Each is made when it is written, so that a pause can come before it. */
function* taskRows({ plan, state }: NewRun, tasks: readonly TaskState[]) {
  for (const task of tasks) yield newTaskRow(plan, state, task);
}

/**
 * Records runs of one team with their task runs, in whatever state they are, the audit records and the responses to keep, in one
 * statement (store/functions/insert-runs.sql): all of them, or none.
 *
 * @throws WORKFLOW_INVALID_REFERENCE if the workflow was deleted in the meantime, WORKFLOW_TEAM_INACTIVE if a run has started and its team
 * was paused in the meantime
 */
export async function insertRuns(db: Queryable, runs: readonly EncodedRun[]): Promise<void> {
  const kept = runs.flatMap((run) => run.kept ?? []);
  try {
    await db`
      ${kept.length > 0 ? db`with kept as (${insertAnswers(db, kept)})` : db``}
      select insert_runs(${rowsOf(db, runs)})`;
  } catch (error) {
    const [{ workflowId, teamName }] = runs as readonly [EncodedRun];
    if (sqlState(error) === "ME404") throw new AppError("WORKFLOW_INVALID_REFERENCE", [workflowId], { cause: error });
    if (sqlState(error) === "ME423") throw new AppError("WORKFLOW_TEAM_INACTIVE", [teamName], { cause: error });
    throw error;
  }
}

/**
 * The same for runs of one team that start with a slot each, counted under the lock of the team.
 * @param most slots of the team
 * @returns false if it has not enough, or may run nothing, and none was recorded
 */
async function insertPlacedRuns(db: Queryable, runs: readonly EncodedRun[], most: number): Promise<boolean> {
  const [{ teamId }] = runs as readonly [EncodedRun];
  const [row] = await db<{ done: boolean }[]>`select insert_placed_runs(${teamId}, ${most}, ${runs.length}, ${rowsOf(db, runs)}) as done`;
  return row?.done === true;
}

function rowsOf(db: Queryable, runs: readonly EncodedRun[]) {
  const list = (texts: readonly string[]) => `[${texts.filter((text) => text !== "").join(",")}]`;
  const tasks = list(runs.map((run) => run.tasks.slice(1, -1)));
  const placed = runs.filter(({ isPlaced }) => isPlaced).map(({ id }) => id);
  return db`${list(runs.map(({ row }) => row))}::json, ${tasks}::json, ${list(runs.map(({ audit }) => audit))}::json,
    ${placed}::uuid[], ${runs.some(({ hasWork }) => hasWork)}`;
}

function hasReady({ nodes }: RunState): boolean {
  return nodes.some((task) => task.status === "ready");
}

type Copied =
  | "workflowName"
  | "workflowDisplayName"
  | "workflowVersion"
  | "labels"
  | "annotations"
  | "params"
  | "workspaces"
  | "initiatedBy"
  | "retryOf"
  | "debug";

/** What its state does not say. */
type Recorded = Pick<RunRow, Copied> & { now: Date };

/**
 * A run that was recorded just now, as a read would find it.
 *
 * As one literal: with parts that are spread into it, it took a tenth of all that a submission computes.
 */
export function recordedRow(record: Recorded, state: RunState): RunRow {
  return {
    id: state.id,
    status: state.status,
    phase: state.phase,
    activity: state.activity,
    reason: state.reason,
    statusMessage: state.statusMessage,
    timeoutMinutes: state.timeoutMinutes,
    retries: state.retries,
    retryCount: state.retryCount,
    awaitingApproval: state.awaitingApproval,
    results: state.results,
    parentRunId: state.parentRunId,
    workflowId: state.workflowId,
    workflowName: record.workflowName,
    workflowDisplayName: record.workflowDisplayName,
    workflowVersion: record.workflowVersion,
    workflowVersionId: state.workflowVersionId,
    taskVersionIds: state.taskVersionIds,
    trigger: state.trigger,
    warningCount: state.warningCount,
    heldFor: state.heldFor,
    maxActiveMinutes: state.maxActiveMinutes,
    waitKinds: listWaitKinds(state),
    labels: record.labels,
    annotations: record.annotations,
    params: record.params,
    workspaces: record.workspaces,
    initiatedBy: record.initiatedBy,
    retryOf: record.retryOf,
    debug: record.debug,
    initiatorName: null,
    acknowledgement: null,
    commentCount: 0,
    createdAt: record.now,
    startedAt: dateOf(state.startedAt),
    endedAt: dateOf(state.endedAt),
  };
}

export function dateOf(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

type Refusal = undefined | { error: unknown };

/**
 * A refusal of one run must not refuse the others: none was recorded, so each is then recorded by itself. The same holds for a delivery
 * that was answered already, or that waits for another process in a circle.
 */
export async function insertRunBatch(recorded: readonly RunToInsert[]): Promise<Refusal[]> {
  const [{ db }] = recorded as readonly [RunToInsert];
  const runs = recorded.map(({ run }) => run);
  const together = firstOfEachKey(runs);
  try {
    await insertRuns(db, [...together]);
  } catch (error) {
    if (runs.length === 1 || (isOutage(error) && sqlState(error) !== deadlockDetected)) throw error;
    together.clear();
  }
  return Promise.all(runs.map((run) => (together.has(run) ? undefined : insertAlone(db, run))));
}

const deadlockDetected = "40P01";

/** Two runs that answer the same delivery would refuse each other in one statement. */
function firstOfEachKey(runs: readonly EncodedRun[]): Set<EncodedRun> {
  const taken = new Set<string>();
  return new Set(
    runs.filter(({ kept }) => {
      const name = kept && JSON.stringify([kept.principal, kept.method, kept.path, kept.key]);
      if (name === undefined) return true;
      return !taken.has(name) && taken.add(name);
    }),
  );
}

function insertAlone(db: Database, run: EncodedRun): Promise<Refusal> {
  return insertRuns(db, [run]).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
}

/** All of them, or none. */
export async function insertPlacedBatch(recorded: readonly RunToBegin[]): Promise<boolean[]> {
  const [{ db }] = recorded as readonly [RunToBegin];
  const runs = recorded.map(({ run }) => run);
  const most = Math.min(...recorded.map((one) => one.most));
  const areBegun = await insertPlacedRuns(db, runs, most).catch((error: unknown) => {
    if (isOutage(error)) throw error;
    return false;
  });
  return recorded.map(() => areBegun);
}

export interface RunToInsert {
  db: Database;
  run: EncodedRun;
}

export interface RunToBegin extends RunToInsert {
  /** Slots of the team. */
  most: number;
}

/** A run with more characters is recorded alone, so that no other one waits for it. */
const maxCharacters = 32 * 1024;

export function isLarge({ row, tasks, kept }: EncodedRun): boolean {
  return row.length + tasks.length + (kept?.response.length ?? 0) > maxCharacters;
}
