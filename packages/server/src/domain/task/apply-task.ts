import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { moveTaskUsesOfAllTeams } from "../../store/task/global-task-uses.ts";
import { moveTaskUses } from "../../store/task/task-uses.ts";
import { findTask, insertTaskVersion, lockTask, retireTaskVersion, type TaskRow, updateTask } from "../../store/task/tasks.ts";
import { isId } from "../../store/team/directory.ts";
import { checkTaskName } from "./check-task-name.ts";
import { insertFirstVersion, readBack, type SavedTask } from "./create-task.ts";
import { type PreparedTask, prepareTask, type SaveTaskContext, type WrittenTask } from "./prepare-task.ts";

export interface ApplyTaskOptions {
  /** Name or id, from the path. */
  ref: string;
  /** The latest version is replaced and keeps its number; otherwise a new version is made. */
  replace: boolean;
  /** What the client wrote, for the task of that name: the path's, which wins over the body's. */
  written(name: string): WrittenTask;
  /** Called with the state that is about to be changed, under its lock; undefined: there is none. Throws to refuse. */
  check(before: TaskRow | undefined): void;
}

/**
 * Makes the task be what the client wrote: creates it, or writes a version of it. Two writes at once come one after the other,
 * because each holds the task until it is committed, and of two creations the second finds the task of the first.
 *
 * @throws TASK_INACTIVE_STATUS, TASK_INVALID_REFERENCE (an id that there is not) and what `prepareTask` throws
 */
export async function applyTask(db: Queryable, context: SaveTaskContext, options: ApplyTaskOptions): Promise<SavedTask> {
  const present = await holdTask(db, context, options.ref);
  if (present) return writeVersion(db, context, present, options);
  if (isId(options.ref)) throw new AppError("TASK_INVALID_REFERENCE", [options.ref]);
  options.check(undefined);
  checkTaskName(options.ref);
  const written = options.written(options.ref);
  const prepared = prepareTask(written, context);
  if (await insertFirstVersion(db, context, prepared, written.content.changeReason)) {
    return { task: await readBack(db, context, prepared.name), before: undefined, warnings: prepared.warnings };
  }
  const raced = await holdTask(db, context, options.ref);
  if (raced === undefined) throw new AppError("CONFLICT", [`Task ${options.ref} was created and deleted at the same time; try again`]);
  return writeVersion(db, context, raced, options);
}

/** Locked first, read after: the read sees what the holder before us wrote. */
async function holdTask(db: Queryable, { teamId }: SaveTaskContext, ref: string): Promise<TaskRow | undefined> {
  const held = await lockTask(db, { teamId, ref });
  return held && findTask(db, { teamId, ref: held.id });
}

async function writeVersion(db: Queryable, context: SaveTaskContext, before: TaskRow, options: ApplyTaskOptions): Promise<SavedTask> {
  options.check(before);
  const written = options.written(before.name);
  const prepared = prepareTask(written, context, before);
  if (before.status === "inactive" && prepared.status === "inactive") throw new AppError("TASK_INACTIVE_STATUS", [before.name]);
  await addVersion(db, context, before, prepared, { replace: options.replace, reason: written.content.changeReason });
  return { task: await readBack(db, context, before.id), before, warnings: prepared.warnings };
}

export interface AddVersionOptions {
  replace: boolean;
  reason: string | undefined;
  verified?: boolean;
}

/** Under the lock of the task. */
export async function addVersion(
  db: Queryable,
  { teamId, author }: Pick<SaveTaskContext, "teamId" | "author">,
  before: TaskRow,
  prepared: PreparedTask,
  { replace, reason = "Updated Task Template", verified = before.verified }: AddVersionOptions,
): Promise<void> {
  const version = replace ? before.version : before.version + 1;
  if (replace) await retireTaskVersion(db, before.id, version);
  const versionId = await insertTaskVersion(db, before.id, { ...prepared.version, version, author, reason });
  const { status, labels, annotations } = prepared;
  await updateTask(db, before.id, { status, verified, labels, annotations, latestVersion: version });
  if (!replace) return;
  if (teamId === null) await moveTaskUsesOfAllTeams(db, before.versionId, versionId);
  else await moveTaskUses(db, teamId, before.versionId, versionId);
}
