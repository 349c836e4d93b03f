import { AppError } from "../../base/error/app-error.ts";
import { annotationPrefix } from "../../core/task/tekton/service-annotations.ts";
import type { Queryable } from "../../store/database/database.ts";
import { insertDraft } from "../../store/task/task-drafts.ts";
import type { NodeTask } from "../../store/task/task-uses.ts";
import { findTask } from "../../store/task/tasks.ts";
import { isId } from "../../store/team/directory.ts";
import { checkTaskName } from "./check-task-name.ts";
import { prepareTask, type SaveTaskContext, type WrittenTask } from "./prepare-task.ts";

/** A task as someone has written it and not saved. */
export interface TaskDraft {
  /** For whom it would be saved. */
  context: SaveTaskContext;
  written(name: string): WrittenTask;
}

export interface SavedDraft {
  definition: Omit<NodeTask, "wish">;
  warnings: string[];
}

/**
 * Keeps a draft for the one workflow that tries it (store/task/task-drafts.ts), by the rules of a save: what is stored gives it its labels,
 * annotations, type and the secrets that it leaves out. It has the number of the version that it would become.
 *
 * @param ref name or id of the task that it is a draft of; a name that there is not: of a new one
 * @throws TASK_INVALID_REFERENCE, TASK_INVALID_NAME, and what `prepareTask` throws
 */
export async function saveDraft(db: Queryable, ref: string, { context, written }: TaskDraft): Promise<SavedDraft> {
  const { teamId, author } = context;
  const stored = await findTask(db, { teamId, ref });
  if (stored === undefined && isId(ref)) throw new AppError("TASK_INVALID_REFERENCE", [ref]);
  if (stored === undefined) checkTaskName(ref);
  const prepared = prepareTask(written(stored?.name ?? ref), context, stored);
  const { name, type, status, labels, annotations } = prepared;
  const version = (stored?.version ?? 0) + 1;
  const task = { teamId, name, type, status, verified: false, labels, annotations };
  const made = await insertDraft(db, task, { ...prepared.version, version, author, reason: "To try it" });
  const { displayName, spec } = prepared.version;
  const definition = {
    ...made,
    teamId,
    name,
    type,
    status,
    latestVersion: version,
    version,
    displayName,
    spec,
    network: annotations[`${annotationPrefix}network`],
  };
  return { definition, warnings: prepared.warnings };
}
