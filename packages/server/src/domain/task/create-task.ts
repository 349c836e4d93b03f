import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTask, insertTask, insertTaskVersion, type TaskRow } from "../../store/task/tasks.ts";
import { checkTaskName } from "./check-task-name.ts";
import { type PreparedTask, prepareTask, type SaveTaskContext, type WrittenTask } from "./prepare-task.ts";

export interface SavedTask {
  task: TaskRow;
  before: TaskRow | undefined;
  warnings: string[];
}

/** @throws TASK_ALREADY_EXISTS, TASK_INVALID_NAME and what `prepareTask` throws */
export async function createTask(db: Queryable, context: SaveTaskContext, written: WrittenTask): Promise<SavedTask> {
  checkTaskName(written.content.name);
  const prepared = prepareTask(written, context);
  const isNew = await insertFirstVersion(db, context, prepared, written.content.changeReason);
  if (!isNew) throw new AppError("TASK_ALREADY_EXISTS", [prepared.name, "taken"]);
  return { task: await readBack(db, context, prepared.name), before: undefined, warnings: prepared.warnings };
}

/** False when someone else has made a task of that name meanwhile. */
export async function insertFirstVersion(
  db: Queryable,
  { teamId, author }: Pick<SaveTaskContext, "teamId" | "author">,
  prepared: PreparedTask,
  reason = "Initial Task Template",
  verified = false,
): Promise<boolean> {
  const { name, type, status, labels, annotations } = prepared;
  const id = await insertTask(db, { teamId, name, type, status, verified, labels, annotations });
  if (id === undefined) return false;
  await insertTaskVersion(db, id, { ...prepared.version, version: 1, author, reason });
  return true;
}

/** What was just written, as it is stored. */
export async function readBack(db: Queryable, { teamId }: Pick<SaveTaskContext, "teamId">, ref: string): Promise<TaskRow> {
  const task = await findTask(db, { teamId, ref });
  if (task === undefined) throw new Error(`task ${ref} was saved, but cannot be read back`);
  return task;
}
