import type { WorkflowRun } from "@millrace/contract/run/run.ts";
import { summaryItems } from "@millrace/contract/run/run-rules.ts";
import type { NestedRun } from "@millrace/contract/run/run-trial.ts";
import type { TaskRun, TaskRunItems } from "@millrace/contract/run/task-run.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { flatMapSteps, inSlices } from "../../base/process/slices.ts";
import { isId } from "../../base/text/uuid.ts";
import { openVoters as stillOpen } from "../../core/action/decide-action.ts";
import { externalTaskOf } from "../../core/task/external-task.ts";
import { quotasInForce } from "../../core/team/quota.ts";
import { clusterPlace, noPlace, undecidedPlace } from "../../core/worker/workspace-place.ts";
import type { NestedPlace } from "../../core/workflow/nested-workflow.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import { trialPrefix } from "../../core/workflow/try-name.ts";
import { missingHistory } from "../../domain/history/removed-history.ts";
import type { RunContext } from "../../domain/run/run-context.ts";
import { listActionsById } from "../../store/action/actions.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listAskedTasks } from "../../store/external/external-workers.ts";
import { listSlotWaits } from "../../store/run/limits/run-slots.ts";
import { findWorkflowNames } from "../../store/run/outcome-starts.ts";
import { findRerun, type RerunRow, type TaskOrigin } from "../../store/run/reruns.ts";
import { findQueueFacts, findRun, listRunNames, type RunRow } from "../../store/run/runs.ts";
import { listLockHolders } from "../../store/run/task-locks.ts";
import { countItems, listSummarized } from "../../store/run/task-run-summary.ts";
import { type AttemptRow, listAttempts, listTaskRuns, type TaskRunRow } from "../../store/run/task-runs.ts";
import { listApproverGroups } from "../../store/team/members.ts";
import { listLiveWorkers } from "../../store/worker/workers.ts";
import { listPlaces } from "../../store/worker/workspace-places.ts";
import type { Principal } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";
import { isBehindQuota, loadStuck, type QueueView, viewRun } from "./run.view.ts";
import { viewTaskRun } from "./task-run.view.ts";
import { Siblings, type WaitFacts, whyTaskWaits } from "./wait.view.ts";

/** The parameters of all paths below a run. */
export const runPath = Type.Object({ team: teamParameter, runId: Type.String({ description: "ID of the run" }) });

/** The row of a run of that team. An unknown id, one of another team, and for a workflow token one of another workflow, is a 404. */
export async function getRunRow(db: Queryable, teamId: string, id: string, principal: Principal): Promise<RunRow> {
  const row = isId(id) ? await findRun(db, teamId, id) : undefined;
  const isForeign = principal.workflowId !== undefined && row?.workflowId !== principal.workflowId;
  if (!row || isForeign) throw await missingHistory(db, "WORKFLOWRUN_INVALID_REFERENCE", id, teamId);
  return row;
}

export const runViews = ["full", "summary"] as const;
/** How much of its task runs is included in a run. */
export type RunTasks = (typeof runViews)[number] | "none";

/** A run in the form of the API, with its task runs and their attempts unless they are not wanted. */
export async function loadRun(
  db: Queryable,
  runs: RunContext,
  teamId: string,
  row: RunRow,
  tasks: RunTasks = "full",
): Promise<WorkflowRun> {
  const queue = isBehindQuota(row) ? await loadQueue(db, runs, teamId, [row]) : undefined;
  const { trial, nestedIn } = row.workflowName.startsWith(trialPrefix) ? await runs.plans.load(db, { teamId, ...row }) : noTrial;
  const nested = nestedIn && (await loadNested(db, teamId, nestedIn));
  // Every run that was created from another run belongs to its series.
  const rerun = row.retryOf === null ? undefined : await findRerun(db, teamId, row.id);
  if (tasks === "full") return viewRun(row, { queue, trial, nested, rerun, tasks: await loadTaskRuns(db, runs, teamId, row, rerun) });
  const stuck = (await loadStuck(db, teamId, [row])).get(row.id);
  if (tasks === "none") return viewRun(row, { queue, trial, nested, rerun, stuck });
  return viewRun(row, { queue, trial, nested, rerun, stuck, tasks: await loadSummary(db, runs, teamId, row, rerun) });
}

const noTrial: Pick<Plan, "trial" | "nestedIn"> = { trial: undefined };

async function loadNested(db: Queryable, teamId: string, { workflowId, task }: NestedPlace): Promise<NestedRun> {
  const name = (await findWorkflowNames(db, teamId, [workflowId])).get(workflowId);
  return { workflowRef: workflowId, ...(name !== undefined && { workflow: name }), task };
}

/** What the runs of a team without a slot wait for. */
export async function loadQueue(db: Queryable, runs: RunContext, teamId: string, rows: readonly RunRow[]): Promise<QueueView> {
  const facts = await findQueueFacts(db, teamId);
  const held = rows.filter((row) => row.heldFor !== null && isBehindQuota(row));
  const slots = await listSlotWaits(
    db,
    teamId,
    held.map(({ id }) => id),
  );
  const { maxConcurrentRuns } = quotasInForce({ maxConcurrentRuns: facts.max }, await runs.settings.load(db));
  return { ...facts, max: maxConcurrentRuns, slots };
}

/** The run after a change that this request has made. */
export async function reloadRun(db: Queryable, runs: RunContext, teamId: string, id: string): Promise<WorkflowRun> {
  const row = await findRun(db, teamId, id);
  if (!row) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [id]);
  return loadRun(db, runs, teamId, row);
}

async function loadTaskRuns(db: Queryable, runs: RunContext, teamId: string, run: RunRow, rerun: RerunRow | undefined): Promise<TaskRun[]> {
  const rows = await listTaskRuns(db, teamId, run.id);
  return viewTaskRuns(db, runs, teamId, rows, () => run, { siblings: new Siblings(rows), origins: rerun?.tasks });
}

/** Limited by the number of tasks, however many items they have. */
async function loadSummary(db: Queryable, runs: RunContext, teamId: string, run: RunRow, rerun: RerunRow | undefined): Promise<TaskRun[]> {
  const counts = await countItems(db, teamId, run.id);
  const rows = await listSummarized(db, teamId, run.id, summaryItems);
  const siblings = new Siblings(rows, counts);
  const views = await viewTaskRuns(db, runs, teamId, rows, () => run, { siblings, origins: rerun?.tasks });
  const { nodes } = await runs.plans.load(db, { teamId, ...run });
  return views.map(({ spec: _spec, ...view }, index) => {
    const row = rows[index] as TaskRunRow;
    const items = row.item === null ? counts.get(row.node) : undefined;
    const { maxRounds } = nodes[row.node]?.loop ?? {};
    return items === undefined ? view : { ...view, items: { ...withoutRow(items, row), ...(maxRounds !== undefined && { maxRounds }) } };
  });
}

/** Items of a list get their row when they start (core/run/items/for-each.ts); until then it is known how many there are. */
function withoutRow(items: TaskRunItems, { waitKind, waitKey }: TaskRunRow): TaskRunItems {
  const missing = waitKind === "items" ? Number(waitKey ?? 0) - items.total : 0;
  if (missing <= 0) return items;
  const statuses = { ...items.statuses, notstarted: (items.statuses["notstarted"] ?? 0) + missing };
  return { total: items.total + missing, statuses };
}

/**
 * Task runs in the form of the API, with everything that they need read at once.
 *
 * @param more.siblings if the task runs are all those of one run
 * @param more.origins of task runs that did not run in their run
 */
export async function viewTaskRuns(
  db: Queryable,
  runs: RunContext,
  teamId: string,
  rows: readonly TaskRunRow[],
  runOf: (row: TaskRunRow) => RunRow,
  { siblings, origins = {} }: { siblings?: Siblings | undefined; origins?: Record<string, TaskOrigin> | undefined } = {},
): Promise<TaskRun[]> {
  const tried = rows.filter((row) => row.executor !== null || row.attempt > 1).map(({ id }) => id);
  const attempts = groupAttempts(tried.length > 0 ? await listAttempts(db, teamId, tried) : []);
  const waits = await loadWaits(db, teamId, rows);
  const { deletionPolicy } = (await runs.settings.load(db)).task;
  const plans = new Map<string, Plan>();
  for (const run of new Map(rows.map((row) => [row.runId, runOf(row)])).values())
    plans.set(run.id, await runs.plans.load(db, { teamId, ...run }));
  const view = (row: TaskRunRow): TaskRun[] => {
    const run = runOf(row);
    const plan = plans.get(run.id) as Plan;
    const waitingFor = run.phase === "running" ? whyTaskWaits(row, waits, plan, siblings) : undefined;
    return [viewTaskRun(row, run, plan, { attempts: attempts.get(row.id), waitingFor, deletionPolicy, origin: origins[row.id], ...waits })];
  };
  return inSlices(flatMapSteps(rows, view));
}

function groupAttempts(rows: readonly AttemptRow[]): Map<string, AttemptRow[]> {
  const groups = new Map<string, AttemptRow[]>();
  for (const row of rows) {
    const group = groups.get(row.taskRunId);
    if (group) group.push(row);
    else groups.set(row.taskRunId, [row]);
  }
  return groups;
}

function isFolder(place: string): boolean {
  return ![noPlace, undecidedPlace, clusterPlace].includes(place) && externalTaskOf(place) === undefined;
}

/** What is needed to explain why these task runs wait: at most one statement per kind of wait, and none if nothing waits. */
async function loadWaits(db: Queryable, teamId: string, tasks: readonly TaskRunRow[]): Promise<WaitFacts> {
  const keys = (kind: string) =>
    tasks.flatMap((task) => (task.status === "waiting" && task.waitKind === kind && task.waitKey ? [task.waitKey] : []));
  const [locks, actions, runs] = [keys("lock"), keys("action"), keys("run")];
  const ready = tasks.filter(({ status, executor }) => status === "ready" && executor !== null);
  const placed = [...new Set(ready.map(({ place }) => place))].filter(isFolder);
  const found = await Promise.all([
    ready.length > 0 ? listLiveWorkers(db, teamId) : [],
    locks.length > 0 ? listLockHolders(db, teamId, locks) : [],
    actions.length > 0 ? loadActions(db, teamId, actions) : { actions: [], openVoters: new Map<string, number>() },
    runs.length > 0 ? listRunNames(db, teamId, runs) : [],
    placed.length > 0 ? listPlaces(db, placed) : [],
    ready.some(({ executor }) => externalTaskOf(executor) !== undefined) ? listAskedTasks(db, teamId) : new Set<string>(),
  ]);
  return {
    workers: found[0],
    locks: new Map(found[1].map((holder) => [holder.key, holder])),
    actions: new Map(found[2].actions.map((action) => [action.id, action])),
    openVoters: found[2].openVoters,
    children: new Map(found[3].map((run) => [run.id, run])),
    places: new Map(found[4].map((place) => [place.id, place])),
    asked: found[5],
  };
}

async function loadActions(db: Queryable, teamId: string, ids: readonly string[]) {
  const actions = await listActionsById(db, teamId, ids);
  const groups = actions.some((action) => action.approverGroupName !== null) ? await listApproverGroups(db, [teamId]) : [];
  const members = new Map(groups.map((group) => [group.id, new Set(group.approvers.map(({ id }) => id))]));
  const openVoters = new Map<string, number>();
  for (const action of actions) {
    const group = members.get(action.approverGroupId ?? "");
    if (group) openVoters.set(action.id, stillOpen(action, group).length);
  }
  return { actions, openVoters };
}
