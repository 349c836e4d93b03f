import { AppError } from "../../base/error/app-error.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import { contentOfDocument } from "../../core/task/tekton/content-of-document.ts";
import type { TaskContent } from "../../core/task/tekton/task-content.ts";
import { type EmbeddedTask, embeddedAnnotation } from "../../core/workflow/pipeline/embedded-task.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTask, type TaskRow } from "../../store/task/tasks.ts";
import { copyActions } from "../task/copy-actions.ts";
import type { SaveTaskContext, WrittenTask } from "../task/prepare-task.ts";
import { applyTask } from "../task/save-task.ts";

export interface SavedEmbeddedTask {
  embedded: EmbeddedTask;
  task: TaskRow;
  before: TaskRow | undefined;
  /** False: the stored version is already the same. */
  isWritten: boolean;
  warnings: string[];
}

/**
 * Saves the tasks that are embedded in a pipeline as tasks of the team, as new versions if they have changed.
 * @throws TASK_ALREADY_EXISTS for a name that the team uses for something else, and what `prepareTask` throws
 */
export async function saveEmbeddedTasks(
  db: Queryable,
  context: SaveTaskContext,
  tasks: readonly EmbeddedTask[],
  locate: WrittenTaskPlaces,
): Promise<SavedEmbeddedTask[]> {
  const saved: SavedEmbeddedTask[] = [];
  for (const embedded of tasks) saved.push(await saveOne(db, context, embedded, locate));
  return saved;
}

type WrittenTaskPlaces = (embedded: EmbeddedTask) => WrittenTask["locate"];

async function saveOne(
  db: Queryable,
  context: SaveTaskContext,
  embedded: EmbeddedTask,
  locate: WrittenTaskPlaces,
): Promise<SavedEmbeddedTask> {
  const { name } = embedded.definition.metadata;
  const content = contentOfDocument(embedded.definition, name);
  const present = await findTask(db, { teamId: context.teamId, ref: name });
  refuseOther(present, embedded);
  if (present?.status === "active" && isSame(present, await copyActions(db, context.teamId, content)))
    return { embedded, task: present, before: present, isWritten: false, warnings: [] };
  const applied = await applyTask(db, context, {
    ref: name,
    replace: false,
    written: () => ({ content, locate: locate(embedded) }),
    check: (before) => refuseOther(before, embedded),
  });
  return { embedded, isWritten: true, ...applied };
}

function refuseOther(present: TaskRow | undefined, { path, definition }: EmbeddedTask): void {
  const { name, annotations } = definition.metadata;
  if (present === undefined || present.annotations[embeddedAnnotation] === annotations?.[embeddedAnnotation]) return;
  const why =
    "taken by a task of the team that was not made from this pipeline; rename the task in the pipeline, or refer to that one (taskRef)";
  throw new AppError("TASK_ALREADY_EXISTS", [name, why]).at(path);
}

function isSame(present: TaskRow, content: TaskContent): boolean {
  const parts = [content.spec, content.displayName, content.description ?? null];
  return isSameJson([present.spec, present.displayName, present.description], parts);
}
