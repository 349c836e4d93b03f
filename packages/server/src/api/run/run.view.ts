import type { WorkflowRun } from "@millrace/contract/run/run.ts";
import type { RunAcknowledgement } from "@millrace/contract/run/run-comment.ts";
import type { NestedRun, RunTrial } from "@millrace/contract/run/run-trial.ts";
import type { RunWarning, TaskRun } from "@millrace/contract/run/task-run.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { whyRunIsCut } from "../../core/run/cut-by-limit.ts";
import { parseInitiator } from "../../core/run/lineage.ts";
import { externalNeed } from "../../core/task/external-task.ts";
import { needsMet } from "../../core/task/place-task.ts";
import { executorKinds } from "../../core/task/tekton/runnable.ts";
import type { Trial } from "../../core/workflow/plan.ts";
import { isNestedName, tryPrefix } from "../../core/workflow/try-name.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listAskedTasks } from "../../store/external/external-workers.ts";
import type { RerunRow } from "../../store/run/reruns.ts";
import type { QueueFacts, RunRow } from "../../store/run/runs.ts";
import { countReadyWithout } from "../../store/run/task-runs.ts";
import { listExecutorsAtWork } from "../../store/worker/workers.ts";
import type { Principal } from "../endpoint.ts";

/**
 * @param more.queue what a queued run waits for
 * @param more.stuck how many of its task runs no worker can run now, if not all of these are in the response
 */
export function viewRun(
  row: RunRow,
  more: {
    tasks?: TaskRun[];
    queue?: QueueView | undefined;
    stuck?: number | undefined;
    trial?: Trial | undefined;
    nested?: NestedRun | undefined;
    rerun?: RerunRow | undefined;
    /** Where the row does not have it. */
    initiatorName?: string;
  } = {},
): WorkflowRun {
  const waitingFor = whyRunWaits(row, more.queue);
  return {
    id: row.id,
    creationDate: row.createdAt.toISOString(),
    ...(row.startedAt && { startTime: row.startedAt.toISOString() }),
    duration: duration(row),
    ...(row.startedAt && { queued: Math.max(0, row.startedAt.getTime() - row.createdAt.getTime()) }),
    status: row.status,
    phase: row.phase,
    ...(row.statusMessage && { statusMessage: row.statusMessage }),
    ...(row.reason && { reason: row.reason }),
    ...(waitingFor && { waitingFor }),
    ...(row.timeoutMinutes && { timeout: row.timeoutMinutes }),
    retries: row.retries,
    debug: row.debug,
    awaitingApproval: row.awaitingApproval,
    ...(row.waitKinds.length > 0 && { waitKinds: row.waitKinds }),
    workflowRef: row.workflowId,
    workflowName: row.workflowName,
    workflowDisplayName: row.workflowDisplayName,
    workflowVersion: row.workflowVersion,
    workflowRevisionRef: row.workflowVersionId,
    trigger: row.trigger,
    ...viewInitiator(row.initiatedBy, more.initiatorName ?? row.initiatorName),
    labels: row.labels,
    annotations: retryAnnotations(row),
    params: row.params,
    results: row.results,
    ...(row.isTruncated && { truncated: true }),
    ...(more.tasks
      ? viewWarningsWith(row, more.tasks, more.stuck)
      : { warningCount: row.warningCount + warningsOfRun(row).length + (more.stuck ?? 0) }),
    workspaces: row.workspaces,
    ...(more.tasks && { tasks: more.tasks }),
    ...(row.retryOf && { retryOf: row.retryOf }),
    ...(more.rerun && { rerunOf: viewOrigin(more.rerun) }),
    ...(row.parentRunId && { parentRunRef: row.parentRunId }),
    ...(row.acknowledgement && { acknowledgement: viewAcknowledgement(row.acknowledgement) }),
    ...(row.commentCount > 0 && { commentCount: row.commentCount }),
    ...(row.workflowName.startsWith(tryPrefix) && !isNestedName(row.workflowName) && { trial: viewTrial(more.trial) }),
    ...(more.nested && { nested: more.nested }),
  };
}

function viewOrigin({ originId, originVersion, reused }: RerunRow) {
  return { workflowRunRef: originId, version: originVersion, reused };
}

/** @param trial undefined: a task is tried */
export function viewTrial(trial: Trial | undefined): RunTrial {
  if (trial === undefined) return {};
  const { workflow, version, only, upTo, pins } = trial;
  const pinned = pins.map(({ task }) => task);
  return {
    workflow,
    ...(version !== undefined && { version }),
    ...(only !== undefined && { only }),
    ...(upTo !== undefined && { upTo }),
    ...(pinned.length > 0 && { pinned }),
  };
}

function viewAcknowledgement({ by, name, at, text }: NonNullable<RunRow["acknowledgement"]>): RunAcknowledgement {
  return { byRef: parseInitiator(by).ref ?? "", byName: name, date: at, ...(text !== null && { text }) };
}

/** A run that was just recorded for that principal. */
export function viewSubmitted(row: RunRow, principal: Pick<Principal, "name">, rerun?: RerunRow): WorkflowRun {
  return viewRun(row, { rerun, initiatorName: principal.name });
}

function retryAnnotations(row: RunRow): Record<string, unknown> {
  if (!row.retryOf) return row.annotations;
  return { ...row.annotations, "millrace.dev/retry-of": row.retryOf, "millrace.dev/retry-count": row.retryCount };
}

export function duration(row: { startedAt: Date | null; endedAt: Date | null; status: TaskRun["status"] }): number {
  if (!row.startedAt || !row.endedAt || !isFinal(row.status)) return 0;
  return Math.max(0, row.endedAt.getTime() - row.startedAt.getTime());
}

/** @param stored null if it was not recorded  @param name null if what it refers to was deleted */
export function viewInitiator(
  stored: string | null,
  name: string | null,
): Pick<WorkflowRun, "initiatedByRef" | "initiatedByType" | "initiatedByName"> {
  if (stored === null) return {};
  const { type, ref } = parseInitiator(stored);
  return { ...(ref !== null && { initiatedByRef: ref }), initiatedByType: type, ...(name !== null && { initiatedByName: name }) };
}

/** What runs of the queue wait for; `max` is the quota that applies. */
export type QueueView = Omit<QueueFacts, "max"> & {
  max: number;
  /** What runs wait for that a limit of their workflow holds, by their ids. */
  slots: ReadonlyMap<string, string>;
};

/** @param facts missing where a page would need a statement per run */
function whyRunWaits(run: Pick<RunRow, "id" | "phase" | "activity" | "heldFor">, facts?: QueueView): string | undefined {
  if (!isBehindQuota(run)) return undefined;
  if (run.heldFor) return facts?.slots.get(run.id) ?? heldTexts[run.heldFor];
  if (!facts) return run.activity === "wanted" ? "Waiting for the concurrency limit of the team" : "Waiting in the queue";
  if (!facts.isTeamActive) return `Waiting because team "${facts.teamName}" is not active`;
  if (facts.active < facts.max)
    return `Waiting ${run.activity === "wanted" ? "" : "in the queue "}for an engine to ${run.activity === "wanted" ? "continue" : "start"} it`;
  return `Waiting for the quota maxConcurrentRuns of team "${facts.teamName}": ${facts.active} of ${facts.max} runs are active`;
}

const heldTexts = {
  slot: "Waiting for a slot of its workflow",
  rate: "Waiting for the rate of starts of its workflow",
  events: "Waiting for more events",
} as const;

/** A run that has not started, or one that has a task to continue and no slot. */
export function isBehindQuota({ phase, activity }: Pick<RunRow, "phase" | "activity">): boolean {
  return phase === "pending" || phase === "queued" || activity === "wanted";
}

const allNeeds = needsMet(executorKinds);

/** Enough for a reader at a time. */
const maxWarnings = 100;

/** Warnings about the run as a whole. */
function warningsOfRun({ timeoutMinutes, maxActiveMinutes }: RunRow): RunWarning[] {
  if (!timeoutMinutes) return [];
  const why = whyRunIsCut(timeoutMinutes, maxActiveMinutes ?? Number.POSITIVE_INFINITY);
  return why === undefined ? [] : [{ code: "CUT_BY_LIMIT", reference: "timeout", why }];
}

/** The members of a run whose task runs are included in the response. @param stuck if not all task runs are included */
function viewWarningsWith(row: RunRow, tasks: readonly TaskRun[], stuck = 0): { warningCount: number; warnings?: RunWarning[] } {
  const found = [...warningsOfRun(row), ...tasks.flatMap(({ name, warnings = [] }) => warnings.map((one) => ({ task: name, ...one })))];
  // Task runs of a large run are loaded without their warnings, so the stored number is used.
  const warningCount = Math.max(found.length, row.warningCount + warningsOfRun(row).length + stuck);
  return { warningCount, ...(found.length > 0 && { warnings: found.slice(0, maxWarnings) }) };
}

/** How many of its task runs no worker can run now, for those of these runs that have any. */
export async function loadStuck(db: Queryable, teamId: string, rows: readonly RunRow[]): Promise<ReadonlyMap<string, number>> {
  const active = rows.filter(({ activity }) => activity === "active").map(({ id }) => id);
  if (active.length === 0) return new Map();
  const atWork = await listExecutorsAtWork(db);
  const asked = [...(await listAskedTasks(db, teamId))].map(externalNeed);
  // While no worker of the service runs, only external tasks are counted.
  return countReadyWithout(db, teamId, active, [...(atWork.length === 0 ? allNeeds : needsMet(atWork)), ...asked]);
}
