import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listWorkflowsUsing } from "../../store/task/task-uses.ts";
import { findTask, deleteTask as hideTask, lockTask, type TaskRow } from "../../store/task/tasks.ts";

/**
 * Deletes a task of a team that no workflow uses. Runs keep the versions that they were submitted with.
 *
 * @param check called with what is about to be deleted, under its lock; throws to refuse
 * @throws TASK_INVALID_REFERENCE, TASK_IN_USE
 */
export async function deleteTask(db: Queryable, teamId: string, ref: string, check: (before: TaskRow) => void): Promise<TaskRow> {
  const held = await lockTask(db, { teamId, ref });
  const task = held && (await findTask(db, { teamId, ref: held.id }));
  if (task === undefined) throw new AppError("TASK_INVALID_REFERENCE", [ref]);
  check(task);
  const users = await listWorkflowsUsing(db, teamId, task.id);
  if (users.length > 0) throw new AppError("TASK_IN_USE", [task.name, users.join(", ")]);
  await hideTask(db, teamId, task.id);
  return task;
}
