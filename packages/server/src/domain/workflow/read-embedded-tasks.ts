import { embeddedAnnotation, embeddedTaskName, maxEmbeddedTasks } from "../../core/workflow/pipeline/embedded-task.ts";
import type { DocumentTask } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTaskVersion, findVersionDocument, type TaskRow } from "../../store/task/tasks.ts";

/** A task of the team that was created from this workflow's pipeline, in the version that the node uses. */
export interface ReadEmbeddedTask {
  node: string;
  task: TaskRow;
  /** The original spec, if the version came as a document. */
  document: Record<string, unknown> | undefined;
}

/** Those that the nodes still use; others are referred to by their names. */
export async function readEmbeddedTasks(
  db: Queryable,
  teamId: string,
  workflow: string,
  nodes: readonly DocumentTask[],
): Promise<ReadEmbeddedTask[]> {
  const own = nodes.filter(({ name, taskRef }) => taskRef === embeddedTaskName(workflow, name)).slice(0, maxEmbeddedTasks);
  const read: ReadEmbeddedTask[] = [];
  for (const { name, taskRef = "", taskVersion } of own) {
    const task = taskVersion === undefined ? undefined : await findTaskVersion(db, { teamId, ref: taskRef, version: taskVersion });
    if (task === undefined || task.annotations[embeddedAnnotation] !== workflow) continue;
    read.push({ node: name, task, document: (await findVersionDocument(db, task.versionId)).document });
  }
  return read;
}
