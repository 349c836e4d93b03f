import type { RunChange } from "../../core/run/run-change.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { RunNeed } from "../../core/task/place-task.ts";
import { tasksAtOnce } from "../../core/worker/slot-shares.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { Queryable } from "../database/database.ts";
import type { Claim } from "../worker/workers.ts";
import { encodeItems, encodeRows, time, updatedRow } from "./run-rows.ts";

/**
 * Writes what `advance` decided, for many runs in one round trip (store/functions/apply-run-changes.sql, which explains the fence). Values
 * are sent as `json`, never `jsonb`, so that results and parameters stay byte for byte the same.
 */

export interface PlannedChange {
  plan: Plan;
  change: RunChange;
  /** Ids of the signals that the change took into account; they are deleted with it. */
  drained: readonly number[];
}

/**
 * @returns ids of the runs that were changed; the others were changed by someone else first. Throws 40001 if a claim happened in between.
 */
export async function applyRunChanges(db: Queryable, changes: readonly PlannedChange[]): Promise<Set<string>> {
  const text = await encodeChanges(changes);
  const [row] = await db<{ applied: string[] }[]>`select apply_run_changes(${text}::json) as applied`;
  return new Set(row?.applied ?? []);
}

export interface NextClaims {
  workerId: string;
  wanted: number;
  /** The needs that the worker can serve, in the values of the rows. */
  needs: readonly RunNeed[];
  labels: string[];
  /** Slots that are reserved for other teams, if there are several; none by default. */
  reserved?: number;
  /** For each of the needs where the worker would find workspaces. */
  places?: readonly string[];
}

/** `applyRunChanges` and the worker's next claims in one round trip (store/functions/claim-task-runs.sql). */
export async function completeAndClaim(
  db: Queryable,
  changes: readonly PlannedChange[],
  next: NextClaims,
): Promise<{ applied: Set<string>; claims: Claim[] }> {
  // A team gets half of what is asked.
  const atOnce = tasksAtOnce(changes, { ...next, most: Math.ceil(next.wanted / 2) });
  const text = await encodeChanges(changes, atOnce);
  const [row] = await db<{ applied: string[]; claims: ClaimJson[] | null }[]>`
    select applied, claims from complete_and_claim(${text}::json, ${next.workerId}, ${next.wanted}, ${[...next.needs]}, ${next.labels},
      ${next.reserved ?? 0}, ${[...(next.places ?? [])]}, ${atOnce.size > 0})`;
  return { applied: new Set(row?.applied ?? []), claims: (row?.claims ?? []).map(claimOf) };
}

export interface ClaimJson {
  team_id: string;
  run_id: string;
  id: string;
  node: number;
  item: number | null;
  attempt: number;
  deadline_at: string | null;
  claimed_at: string;
  need: RunNeed;
  losses: number;
}

export function claimOf(row: ClaimJson): Claim {
  return {
    teamId: row.team_id,
    runId: row.run_id,
    id: row.id,
    node: row.node,
    item: row.item,
    attempt: row.attempt,
    deadlineAt: row.deadline_at === null ? null : new Date(row.deadline_at),
    claimedAt: new Date(row.claimed_at),
    need: row.need,
    losses: row.losses,
  };
}

/**
 * The rows of tasks hold parameters and results, which may be large; all others are small.
 * @param atOnce ids of task runs for the worker whose report this is, where nothing else has its turn first
 */
export async function encodeChanges(changes: readonly PlannedChange[], atOnce?: ReadonlySet<string>): Promise<string> {
  const tasks = changes.flatMap(({ change }) => change.updated.map(({ before, after }) => updatedRow(change.after, before, after, atOnce)));
  const rest = JSON.stringify(changesDocument(changes));
  return `{"tasks":${await encodeRows(tasks)},"newItems":${await encodeItems(changes)},${rest.slice(1)}`;
}

function changesDocument(changes: readonly PlannedChange[]) {
  return {
    ...runRows(changes),
    attempts: changes.flatMap(({ change }) => change.attempts.map((attempt) => attemptRow(change.after, attempt))),
    actions: changes.flatMap(({ change }) => change.actions.map((action) => actionRow(change.after, action))),
    closedActions: changes.flatMap(({ change }) => closedActions(change)),
    signals: changes.flatMap(({ change }) =>
      change.signals.map((signal) => ({
        team_id: change.after.teamId,
        from_run_id: change.after.id,
        run_id: signal.runId,
        kind: signal.kind,
        data: signal.data,
      })),
    ),
    drained: changes.flatMap(({ change, drained }) => drained.map((id) => ({ run_id: change.after.id, id }))),
    readyTeams: [
      ...new Set(
        changes.filter(({ change }) => makesWork(change) || change.after.activity === "wanted").map(({ change }) => change.after.teamId),
      ),
    ],
    releases: changes.flatMap(({ change }) => releases(change)),
    mayHoldLocks: changes.some(
      ({ plan, change }) => change.releasedLocks === "all" && plan.nodes.some((node) => node.type === "acquirelock"),
    ),
  };
}

/** A run that is changed alone, and of which only the version changes, as with a step in the middle of it: three values instead of a row. */
function runRows(changes: readonly PlannedChange[]) {
  const [{ change }, ...others] = changes as [PlannedChange, ...PlannedChange[]];
  if (others.length > 0 || !isUnchanged(change)) return { runs: changes.map(({ change }) => runRow(change)) };
  const { teamId, id, stateVersion } = change.before;
  return { sameTeam: teamId, sameRun: id, sameVersion: stateVersion };
}

/** In all that is written of a run. */
function isUnchanged(change: RunChange): boolean {
  const { results, ...after } = runRow(change);
  const { results: _, ...before } = runRow({ ...change, after: change.before });
  return results === null && JSON.stringify(after) === JSON.stringify(before);
}

/** Is there something now that a worker can claim? */
function makesWork({ updated, created }: RunChange): boolean {
  return updated.some(({ after }) => after.status === "ready") || created.some((task) => task.status === "ready");
}

function runRow({ before, after }: RunChange) {
  return {
    team_id: after.teamId,
    id: after.id,
    expected: before.stateVersion,
    status: after.status,
    phase: after.phase,
    reason: after.reason,
    status_message: after.statusMessage,
    status_override: after.statusOverride,
    results: after.results === before.results ? null : after.results,
    awaiting_approval: after.awaitingApproval,
    started_at: time(after.startedAt),
    ended_at: time(after.endedAt),
    due_at: time(after.dueAt),
    activity: after.activity,
    active_since: time(after.activeSince),
    active_ms: after.activeMs,
    warning_count: after.warningCount,
  };
}

function attemptRow(run: RunState, attempt: RunChange["attempts"][number]) {
  return {
    team_id: run.teamId,
    run_id: run.id,
    task_run_id: attempt.taskRunId,
    attempt: attempt.attempt,
    status: attempt.status,
    reason: attempt.reason,
    status_message: attempt.statusMessage,
    exit_code: attempt.exitCode,
    signal: attempt.signal,
    executor: attempt.executor,
    isolation: attempt.isolation,
    host: attempt.host,
    place: attempt.place,
    waits: attempt.waits,
    worker_id: attempt.workerId,
    started_at: time(attempt.startedAt),
  };
}

function actionRow(run: RunState, action: RunChange["actions"][number]) {
  const { title, fields, links, attachments } = action.form;
  return {
    team_id: run.teamId,
    run_id: run.id,
    id: action.id,
    workflow_id: run.workflowId,
    task_run_id: action.taskRunId,
    type: action.type,
    instructions: action.instructions,
    approver_group_id: action.approverGroupId,
    approvers_wanted: action.approversWanted,
    deadline_at: time(action.deadlineAt),
    reminder_minutes: action.reminderMinutes,
    escalate_minutes: action.escalation?.minutes,
    escalation_group_id: action.escalation?.groupId,
    bars_requester: action.barsRequester,
    title,
    form: fields.length + links.length > 0 ? { fields, links } : null,
    attachments: attachments.length > 0 ? attachments : null,
  };
}

/** Actions that their task runs no longer wait for (ended, or retried): cancelled, unless a decision ended the wait. */
function closedActions({ after, updated }: RunChange) {
  return updated
    .filter(({ before, after: task }) => before.waitKind === "action" && task.waitKey !== before.waitKey)
    .map(({ after: task }) => ({ team_id: after.teamId, run_id: after.id, task_run_id: task.id }));
}

function releases({ after, releasedLocks }: RunChange) {
  if (releasedLocks === "all") return [];
  return releasedLocks.map((key) => ({ run_id: after.id, key }));
}
