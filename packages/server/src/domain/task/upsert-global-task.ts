import { contentOfDocument } from "../../core/task/tekton/content-of-document.ts";
import { readTaskDocument } from "../../core/task/tekton/read-task-document.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTask, isTaskVersionKnown, lockTask } from "../../store/task/tasks.ts";
import { type PreparedTask, prepareTask, type SaveTaskContext } from "./prepare-task.ts";
import { addVersion, insertFirstVersion } from "./save-task.ts";

const shippedTasks: SaveTaskContext = {
  teamId: null,
  author: "millrace",
  hostNetwork: { isAllowedHere: false },
  privileges: { isAllowedHere: false },
  sealer: () => () => {
    throw new Error("a shipped task has no secret");
  },
};

/**
 * Installs a shipped task, verified. Each content is installed only once: not again at every start, and not over an administrator's later
 * changes. Safe if several processes start at once. Call it in a transaction.
 *
 * @param document the task-definition document; it has no secrets
 * @returns whether anything was written
 */
export async function upsertGlobalTask(db: Queryable, document: string): Promise<boolean> {
  const { definition, placed } = readTaskDocument(document);
  const written = { content: contentOfDocument(definition), locate: placed };
  const shipped = await prepareTask(db, written, shippedTasks);
  if (await insertFirstVersion(db, shippedTasks, shipped, undefined, true)) return true;
  const held = await lockTask(db, { teamId: null, ref: shipped.name });
  const before = held && (await findTask(db, { teamId: null, ref: held.id }));
  if (before === undefined || (await isTaskVersionKnown(db, before.id, comparable(shipped)))) return false;
  const prepared = { ...(await prepareTask(db, written, shippedTasks, before)), status: before.status };
  await addVersion(db, shippedTasks, before, prepared, { replace: false, reason: undefined, verified: true });
  return true;
}

function comparable({ version }: PreparedTask) {
  const { displayName, description, category, icon, spec } = version;
  return { displayName, description, category, icon, spec };
}
