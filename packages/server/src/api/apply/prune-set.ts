import type { AppliedDocument, ApplyKind, ApplyProblem } from "@millrace/contract/apply.ts";
import { stepActionType } from "@millrace/contract/status.ts";
import { taskStatuses } from "@millrace/contract/task/task.ts";
import { AppError } from "../../base/error/app-error.ts";
import { documentKey } from "../../core/apply/apply-order.ts";
import type { ShownDocument } from "../../core/apply/diff-documents.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { deleteTask } from "../../domain/task/save-task.ts";
import { deleteWorkflow } from "../../domain/workflow/delete-workflow.ts";
import { readVersion, requireWorkflow } from "../../domain/workflow/read-workflow.ts";
import { deleteSchedule, listSchedules } from "../../store/schedule/schedules.ts";
import { listTasks } from "../../store/task/tasks.ts";
import { listWorkflows } from "../../store/workflow/workflows.ts";
import type { TeamScope } from "../endpoint.ts";
import { viewSchedule } from "../schedule/schedule.view.ts";
import { auditedTask } from "../task/task.view.ts";
import { viewWorkflow } from "../workflow/workflow.view.ts";
import { type ApplyContext, mayRead, withPermission } from "./apply-context.ts";
import { problemOfSet } from "./apply-problems.ts";
import { shownTask } from "./shown-task.ts";

/** What the set names: keys of documents, and ids of schedules and workflows that it has saved or uses. */
export interface KeptBySet {
  keys: ReadonlySet<string>;
  scheduleIds: ReadonlySet<string>;
  /** Names of the workflows for which it has schedules. */
  scheduledWorkflows: ReadonlySet<string>;
}

export interface Pruned {
  document: Pick<AppliedDocument, "kind" | "name" | "workflow" | "id" | "version">;
  before: ShownDocument;
}

/** More at once is more likely a wrong label than intended. */
const maxPruned = 500;

/**
 * Deletes objects that have the label and are not in the set: schedules, then workflows, then the tasks that no workflow uses any more.
 * Active runs are cancelled, as when the workflow is deleted by itself.
 */
export async function pruneSet(
  context: ApplyContext & { team: TeamScope },
  labels: Record<string, string>,
  kept: KeptBySet,
): Promise<{ pruned: Pruned[]; problems: ApplyProblem[] }> {
  const pruned: Pruned[] = [];
  const problems: ApplyProblem[] = [];
  const attempt = async (kind: ApplyKind, name: string, work: () => Promise<Pruned>) => {
    try {
      pruned.push(await work());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, reason } = error;
      // Callers who may neither delete nor read such objects don't learn their names.
      const isHidden = reason === "PERMISSION_DENIED" && !mayRead(context, kind);
      if (isHidden && problems.some((problem) => problem.kind === kind)) return;
      problems.push(problemOfSet(message, { kind, ...(!isHidden && { name }), reason }));
    }
  };
  for (const { id, name } of await listSchedulesToPrune(context, labels, kept))
    await attempt("Schedule", name, () => pruneSchedule(context, id, labels));
  for (const name of await listWorkflowsToPrune(context, labels, kept))
    await attempt("Workflow", name, () => pruneWorkflow(context, name, kept, labels));
  for (const { kind, name } of await listTasksToPrune(context, labels, kept))
    await attempt(kind, name, () => pruneTask(context, kind, name, labels));
  return { pruned, problems };
}

async function listSchedulesToPrune({ db, team }: ApplyContext & { team: TeamScope }, labels: Record<string, string>, kept: KeptBySet) {
  const found = await listSchedules(db, team.id, { labels }, { limit: maxPruned + kept.scheduleIds.size + 1, offset: 0 });
  return bounded(found.filter(({ id }) => !kept.scheduleIds.has(id)));
}

async function listWorkflowsToPrune({ db, team }: ApplyContext & { team: TeamScope }, labels: Record<string, string>, kept: KeptBySet) {
  const page = { order: "ASC", limit: maxPruned + kept.keys.size + 1, offset: 0 } as const;
  const found = await listWorkflows(db, team.id, { labels, statuses: [], refs: undefined }, page);
  return bounded(found.map(({ name }) => name).filter((name) => !kept.keys.has(documentKey("Workflow", name)))).sort();
}

async function listTasksToPrune({ db, team }: ApplyContext & { team: TeamScope }, labels: Record<string, string>, kept: KeptBySet) {
  const query = { teamIds: [team.id], labels, statuses: taskStatuses, names: undefined, order: "ASC", offset: 0 } as const;
  const found = await listTasks(db, { ...query, limit: maxPruned + kept.keys.size + 1 }, 0);
  const others = bounded(found.filter(({ name }) => !kept.keys.has(documentKey("Task", name))));
  const named = others.map(({ name, type }) => ({ name, kind: type === stepActionType ? ("StepAction" as const) : ("Task" as const) }));
  return named.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function bounded<T>(found: T[]): T[] {
  if (found.length <= maxPruned) return found;
  const message = `prune would delete more than ${maxPruned} objects; delete them in parts, with labels that fewer of them have`;
  throw new AppError("VALIDATION_FAILED", [message], { details: [{ path: "prune", message }] });
}

/** In the meantime someone may have removed its label, or created another one of that name. */
function requireLabels(what: string, found: Record<string, string> | undefined, wanted: Record<string, string>): void {
  if (found !== undefined && Object.entries(wanted).every(([key, value]) => found[key] === value)) return;
  throw new AppError("CONFLICT", [`${what} was to be deleted, but was changed at the same time; apply the set again`]);
}

async function pruneSchedule(given: ApplyContext & { team: TeamScope }, id: string, labels: Record<string, string>): Promise<Pruned> {
  const { db, team, audit } = withPermission(given, "schedule/delete");
  const [schedule] = await listSchedules(db, team.id, { ids: [id] }, { limit: 1, offset: 0 });
  requireLabels(`Schedule ${id}`, schedule?.labels, labels);
  if (schedule === undefined || !(await deleteSchedule(db, team.id, id))) throw new AppError("SCHEDULE_INVALID_REF", [id]);
  const view = viewSchedule(schedule);
  audit({ kind: "schedule", id, name: schedule.name, before: view });
  return {
    document: { kind: "Schedule", name: schedule.name, workflow: schedule.workflowName, id },
    before: shownDocument("Schedule", view),
  };
}

async function pruneWorkflow(
  given: ApplyContext & { team: TeamScope },
  ref: string,
  kept: KeptBySet,
  labels: Record<string, string>,
): Promise<Pruned> {
  const { db, team, audit, services, afterCommit } = withPermission(given, "workflow/delete");
  if (kept.scheduledWorkflows.has(ref))
    throw new AppError("CONFLICT", [
      `Workflow ${ref} would be deleted, but the set has a schedule for it; leave the schedule out, or add the workflow`,
    ]);
  const workflow = await requireWorkflow(db, team.id, ref);
  requireLabels(`Workflow ${ref}`, workflow.labels, labels);
  const before = await readVersion(db, team.id, workflow, workflow.latestVersion);
  await deleteWorkflow(db, team.id, workflow, true);
  const view = viewWorkflow(before);
  audit({ kind: "workflow", id: workflow.id, name: workflow.name, before: view });
  afterCommit(() => services.bus.wake(channels.engine));
  const { id, name, latestVersion: version } = workflow;
  return { document: { kind: "Workflow", name, id, version }, before: shownDocument("Workflow", view) };
}

async function pruneTask(
  given: ApplyContext & { team: TeamScope },
  kind: ApplyKind,
  name: string,
  labels: Record<string, string>,
): Promise<Pruned> {
  const { db, team, audit } = withPermission(given, "task/delete");
  const task = await deleteTask(db, team.id, name, (held) => requireLabels(`${kind} ${name}`, held.labels, labels));
  audit({ kind: "task", id: task.id, name: task.name, before: auditedTask(task) });
  return { document: { kind, name, id: task.id, version: task.version }, before: shownTask(task) };
}
