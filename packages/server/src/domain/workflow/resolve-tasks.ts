import { stepActionType, type TaskType } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import { nearestName } from "../../base/text/nearest-name.ts";
import { isId } from "../../base/text/uuid.ts";
import type { DocumentTask, WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listTaskNames, listTasksForNodes, lockTasksForNodes, type NodeTask, type WantedTask } from "../../store/task/task-uses.ts";
import type { UsedTaskVersion } from "../../store/workflow/workflow-versions.ts";
import { type CheckMode, saving } from "./save-context.ts";

/** Whose tasks may be used: the team's own and the global ones; null, for a template: the global ones only. */
export type TaskOwner = { id: string; name: string } | null;

/** A task with its current version. */
export type FoundTask = NodeTask & { type: TaskType; versionId: string; version: number };

export interface ResolvedTasks {
  /** Each task with its type, the name of its definition and the version it uses. */
  document: WorkflowDocument;
  used: UsedTaskVersion[];
  /** The definition of each task that has one, by the task's name. */
  definitions: ReadonlyMap<string, FoundTask>;
  /** Nested workflows, by the name of the task that contains one; set when the document is completed. */
  nested?: ReadonlyMap<string, ResolvedTasks>;
}

/**
 * Finds the definition of each task of a document: the team's own first, then a global one; without a version the latest, which
 * is then written down. The definitions are locked against deletion and replacement until the transaction ends.
 *
 * @throws WORKFLOW_INVALID_TASK_REF, TASK_INVALID_REFERENCE (version), TASK_INACTIVE_STATUS, each naming task and reference
 */
export async function resolveTasks(
  db: Queryable,
  team: TaskOwner,
  document: WorkflowDocument,
  mode: CheckMode = saving,
): Promise<ResolvedTasks> {
  const references = document.tasks.map((task, index) => attempt(mode, `/tasks/${index}/taskRef`, () => referenceOf(task, team)));
  const wanted = new Map(references.flatMap((reference) => (reference ? [[keyOf(reference), reference] as const] : [])));
  const answers = await findAnswers(db, team?.id ?? null, [...wanted.values()], mode);
  const isAllKnown = [...wanted.keys()].every((key) => answers.has(key));
  const suggest = suggester(isAllKnown ? [] : await listTaskNames(db, team?.id ?? null));
  const definitions = new Map<string, FoundTask>();
  const tasks = document.tasks.map((task, index) => {
    const reference = references[index];
    if (!reference) return { ...task, type: markerType(task) ?? task.type };
    const definition = attempt(mode, `/tasks/${index}/taskRef`, () => checkAnswer(task, answers.get(keyOf(reference)), team, suggest));
    if (!definition) return task;
    definitions.set(task.name, definition);
    return { ...task, type: definition.type, taskRef: definition.name, taskVersion: definition.version };
  });
  return { document: { ...document, tasks }, used: usedVersions(definitions), definitions };
}

/** Reports an error with its place; returns undefined if that doesn't end the check. */
function attempt<T>({ refuse }: CheckMode, path: string, find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refuse(error.at(path));
    return undefined;
  }
}

function keyOf(reference: WantedTask): string {
  return `${reference.version ?? ""}/${reference.ref}`;
}

/** The reference of the task; undefined for start and end, which have no definition. */
function referenceOf(task: DocumentTask, team: TaskOwner): WantedTask | undefined {
  const marker = markerType(task);
  if (marker !== undefined) {
    if (task.taskRef !== undefined) throw refusal(task, `a task of type ${marker} has no definition; leave taskRef out`);
    return undefined;
  }
  if (task.taskRef === undefined) throw refusal(task, "taskRef must name the task that it uses");
  return { ref: withoutTeam(task, task.taskRef, team), version: task.taskVersion ?? null };
}

/** Start and end are recognized by their type, or without one by their name. */
function markerType(task: DocumentTask): "start" | "end" | undefined {
  const type = task.type ?? task.name;
  return type === "start" || type === "end" ? type : undefined;
}

/** A definition of the team may also be written as `team/name`. */
function withoutTeam(task: DocumentTask, ref: string, team: TaskOwner): string {
  const slash = ref.indexOf("/");
  if (slash < 0) return ref;
  if (team === null) throw refusal(task, "a template can use global tasks only");
  const owner = ref.slice(0, slash).toLowerCase();
  if (owner !== team.name && owner !== team.id)
    throw refusal(task, `a workflow of team ${team.name} can use only the team's own tasks and global ones`);
  return ref.slice(slash + 1);
}

async function findAnswers(
  db: Queryable,
  teamId: string | null,
  references: readonly WantedTask[],
  mode: CheckMode,
): Promise<Map<string, NodeTask>> {
  const found = await (mode.holdsTasks ? lockTasksForNodes : listTasksForNodes)(db, teamId, references);
  const answers = new Map(found.map((answer) => [keyOf(references[answer.position]!), answer]));
  await refuseHidden(db, teamId, references, found, mode);
  for (const [position, wanted] of references.entries())
    if (mode.draft?.id === wanted.ref) answers.set(keyOf(wanted), { ...mode.draft, position });
  return answers;
}

/** Documents contain names. A global task that was requested by id can't be written down if its name means a task of the team. */
async function refuseHidden(
  db: Queryable,
  teamId: string | null,
  references: readonly WantedTask[],
  found: readonly NodeTask[],
  { refuse }: CheckMode,
): Promise<void> {
  const byId = found.filter((answer) => answer.teamId === null && isId(references[answer.position]!.ref));
  if (byId.length === 0) return;
  const meant = await listTasksForNodes(
    db,
    teamId,
    byId.map(({ name }) => ({ ref: name, version: null })),
  );
  const hider = meant.find((answer) => answer.id !== byId[answer.position]?.id);
  if (!hider) return;
  const why = `the team has its own task named ${hider.name}, which hides the global one; rename the team's task`;
  refuse(new AppError("WORKFLOW_INVALID_TASK_REF", ["of this workflow", byId[hider.position]?.id, why]));
}

/** Comparing names takes time, and a document may name ten thousand unknown tasks, so only the first few get a suggestion. */
function suggester(names: readonly string[]): (ref: string) => string {
  let left = 10;
  return (ref) => {
    const meant = left-- > 0 ? nearestName(ref, names) : undefined;
    return meant === undefined ? "" : `; did you mean ${meant}?`;
  };
}

function checkAnswer(task: DocumentTask, answer: NodeTask | undefined, team: TaskOwner, suggest: (ref: string) => string): FoundTask {
  const isGone = !answer || (answer.teamId === null && task.taskRef?.includes("/"));
  if (isGone) {
    const why = team === null ? "there is no such global task" : "there is no such task in the team, and no such global task";
    throw refusal(task, `${why}${suggest(task.taskRef ?? "")}`);
  }
  const { type, versionId, version } = answer;
  if (type === stepActionType)
    throw refusal(task, "it is a StepAction, a step of tasks; use a task with a step that refers to it (docs/tasks/step-actions.md)");
  if (versionId === null || version === null) {
    throw new AppError("TASK_INVALID_REFERENCE", [
      `${answer.name} in version ${task.taskVersion}, which task ${task.name} uses; its latest version is ${answer.latestVersion}`,
    ]);
  }
  if (answer.status !== "active") throw new AppError("TASK_INACTIVE_STATUS", [`${answer.name}, which task ${task.name} uses,`]);
  if (task.type !== undefined && task.type !== type) {
    throw refusal(task, `its type is ${type}, so that of the task can't be ${task.type}; leave type out`);
  }
  return { ...answer, type, versionId, version };
}

function refusal(task: DocumentTask, why: string): AppError {
  return new AppError("WORKFLOW_INVALID_TASK_REF", [task.name, task.taskRef ?? "nothing", why]);
}

function usedVersions(definitions: ReadonlyMap<string, FoundTask>): UsedTaskVersion[] {
  const used = new Map<string, UsedTaskVersion>();
  for (const { id, version, versionId } of definitions.values()) used.set(versionId, { taskId: id, version, taskVersionId: versionId });
  return [...used.values()];
}
