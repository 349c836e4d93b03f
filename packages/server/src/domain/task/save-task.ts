import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import type { Queryable } from "../../store/database/database.ts";
import { moveTaskUsesOfAllTeams } from "../../store/task/global-task-uses.ts";
import { listWorkflowsUsing, moveTaskUses } from "../../store/task/task-uses.ts";
import {
  findTask,
  findVersionDocument,
  deleteTask as hideTask,
  insertTask,
  insertTaskVersion,
  lockTask,
  retireTaskVersion,
  type TaskRow,
  updateTask,
} from "../../store/task/tasks.ts";
import { listProtectedUsing } from "../../store/workflow/protections.ts";
import { checkTaskName, type PreparedTask, prepareTask, type SaveTaskContext, type WrittenTask } from "./prepare-task.ts";

export interface SavedTask {
  task: TaskRow;
  /** The same row if nothing was written, because nothing would have changed. */
  before: TaskRow | undefined;
  warnings: string[];
}

/** @throws TASK_ALREADY_EXISTS, TASK_INVALID_NAME and what `prepareTask` throws */
export async function createTask(db: Queryable, context: SaveTaskContext, written: WrittenTask): Promise<SavedTask> {
  checkTaskName(written.content.name);
  const prepared = await prepareTask(db, written, context);
  const isNew = await insertFirstVersion(db, context, prepared, written.content.changeReason);
  if (!isNew) throw new AppError("TASK_ALREADY_EXISTS", [prepared.name, "taken"]);
  return { task: await readBack(db, context, prepared.name), before: undefined, warnings: prepared.warnings };
}

/** False if someone else has created a task of that name in the meantime. */
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

/** The stored form of what was just written. */
async function readBack(db: Queryable, { teamId }: Pick<SaveTaskContext, "teamId">, ref: string): Promise<TaskRow> {
  const task = await findTask(db, { teamId, ref });
  if (task === undefined) throw new Error(`task ${ref} was saved, but cannot be read back`);
  return task;
}

interface ApplyTaskOptions {
  /** Name or id, from the path. */
  ref: string;
  /** The latest version is replaced and keeps its number; otherwise a new version is created. */
  replace: boolean;
  /** What the client wrote, for the task of that name: the path's, which takes precedence over the body's. */
  written(name: string): WrittenTask;
  /** Called with the current state, under its lock; undefined if there is none. Throws to refuse. */
  check(before: TaskRow | undefined): void;
  /** A document that changes nothing is not written. */
  keepsSame?: boolean;
}

/**
 * Creates the task, or writes a new version of it, so that it matches what the client wrote. Concurrent writes are serialized, because each
 * locks the task until its commit; of two creations the second finds the task of the first.
 *
 * @throws TASK_INACTIVE_STATUS, TASK_INVALID_REFERENCE (an unknown id) and what `prepareTask` throws
 */
export async function applyTask(db: Queryable, context: SaveTaskContext, options: ApplyTaskOptions): Promise<SavedTask> {
  const present = await holdTask(db, context, options.ref);
  if (present) return writeVersion(db, context, present, options);
  if (isId(options.ref)) throw new AppError("TASK_INVALID_REFERENCE", [options.ref]);
  options.check(undefined);
  checkTaskName(options.ref);
  const written = options.written(options.ref);
  const prepared = await prepareTask(db, written, context);
  if (await insertFirstVersion(db, context, prepared, written.content.changeReason)) {
    return { task: await readBack(db, context, prepared.name), before: undefined, warnings: prepared.warnings };
  }
  const raced = await holdTask(db, context, options.ref);
  if (raced === undefined) throw new AppError("CONFLICT", [`Task ${options.ref} was created and deleted at the same time; try again`]);
  return writeVersion(db, context, raced, options);
}

/** Locked first, then read: the read sees what the previous lock holder wrote. */
async function holdTask(db: Queryable, { teamId }: SaveTaskContext, ref: string): Promise<TaskRow | undefined> {
  const held = await lockTask(db, { teamId, ref });
  return held && findTask(db, { teamId, ref: held.id });
}

async function writeVersion(db: Queryable, context: SaveTaskContext, before: TaskRow, options: ApplyTaskOptions): Promise<SavedTask> {
  options.check(before);
  const written = options.written(before.name);
  const prepared = await prepareTask(db, written, context, before);
  if (options.keepsSame && (await isSame(db, before, prepared))) return { task: before, before, warnings: prepared.warnings };
  if (before.status === "inactive" && prepared.status === "inactive") throw new AppError("TASK_INACTIVE_STATUS", [before.name]);
  await addVersion(db, context, before, prepared, { replace: options.replace, reason: written.content.changeReason });
  return { task: await readBack(db, context, before.id), before, warnings: prepared.warnings };
}

/** Comments of a YAML document don't count as a change; members that only the document has do. */
async function isSame(db: Queryable, before: TaskRow, { status, labels, annotations, version }: PreparedTask): Promise<boolean> {
  const { displayName, description, category, icon, spec } = version;
  const present = [before.status, before.labels, before.annotations, before.displayName, before.description, before.category, before.icon];
  if (!isSameJson([status, labels, annotations, displayName, description, category, icon], present)) return false;
  if (!isSameJson(spec, before.spec)) return false;
  const { document } = await findVersionDocument(db, before.versionId);
  return document === undefined || version.document === undefined || isSameJson(document, version.document);
}

interface AddVersionOptions {
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
  if (replace && teamId !== null) await refuseProtectedUses(db, teamId, before);
  if (replace) await retireTaskVersion(db, before.id, version);
  const versionId = await insertTaskVersion(db, before.id, { ...prepared.version, version, author, reason });
  const { status, labels, annotations } = prepared;
  await updateTask(db, before.id, { status, verified, labels, annotations, latestVersion: version });
  if (!replace) return;
  if (teamId === null) await moveTaskUsesOfAllTeams(db, before.versionId, versionId);
  else await moveTaskUses(db, teamId, before.versionId, versionId);
}

/** A replaced version also changes the workflows that use it, bypassing the approval that theirs would need. */
async function refuseProtectedUses(db: Queryable, teamId: string, { name, version, versionId }: TaskRow): Promise<void> {
  const users = await listProtectedUsing(db, teamId, versionId);
  if (users.length === 0) return;
  const message = `Version ${version} of task ${name} is used by protected workflows (${users.slice(0, 10).join(", ")})`;
  throw new AppError("CONFLICT", [`${message}: save a new version instead of replacing it`]);
}

/**
 * Deletes a task of a team that no workflow uses. Runs keep the versions that they were submitted with.
 *
 * @param check called with the current state, under its lock; throws to refuse
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
