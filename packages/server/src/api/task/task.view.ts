import type { Task, TaskParam } from "@millrace/contract/task/task.ts";
import type { Spec } from "@millrace/contract/task/task-definition.ts";
import { isSecretParam, maskParams } from "../../core/parameter/secret-params.ts";
import { taskDocument, type WritableTask, writeTaskDocument } from "../../core/task/tekton/write-task-document.ts";
import type { TaskRow } from "../../store/task/tasks.ts";
import { etagOf } from "../etag.ts";

/** The task in that version as it is read: secrets empty. */
export function viewTask(task: TaskRow): Task {
  return {
    id: task.id,
    name: task.name,
    displayName: task.displayName,
    type: task.type,
    version: task.version,
    status: task.status,
    creationDate: task.createdAt.toISOString(),
    verified: task.verified,
    ...(task.description !== null && { description: task.description }),
    ...(task.category !== null && { category: task.category }),
    ...(task.icon !== null && { icon: task.icon }),
    labels: task.labels,
    annotations: task.annotations,
    changelog: viewTaskChange(task),
    spec: { ...task.spec, params: maskParams(task.spec.params) as TaskParam[] },
  };
}

export function viewTaskChange(version: Pick<TaskRow, "author" | "reason" | "changedAt">) {
  return { author: version.author ?? "---", reason: version.reason ?? "", date: version.changedAt.toISOString() };
}

/**
 * The task as its definition document. A secret has no default in it, or an empty one if it had one.
 *
 * @param document the original spec, if the version came as a document
 * @param text the document as it was sent
 */
export function viewTaskDocument(task: TaskRow, document: Spec | undefined, text?: string): string {
  return writeTaskDocument(writable(task), document, text);
}

/** The spec alone, in the form of its definition document. */
export function viewTaskSpec(task: TaskRow, document: Spec | undefined): Spec {
  return taskDocument(writable(task), document)["spec"] as Spec;
}

function writable(task: TaskRow): WritableTask {
  const params = task.spec.params.map((param) => (isSecretParam(param) ? withoutSecret(param) : param));
  const { description, category, icon } = task;
  const texts = { description: description ?? undefined, category: category ?? undefined, icon: icon ?? undefined };
  return { ...task, ...texts, spec: { ...task.spec, params } };
}

function withoutSecret({ value: _value, default: preset, ...param }: TaskParam): TaskParam {
  return { ...param, ...(preset !== undefined && { default: "" }) };
}

/** Every write of a task creates a version row, so its id identifies the state. */
export function taskTag(task: Pick<TaskRow, "versionId">): string {
  return etagOf(task.versionId);
}

/** For the audit record: what all versions share, and which version it is. The versions themselves are stored anyway. */
export function auditedTask(task: TaskRow): Record<string, unknown> {
  const { spec: _spec, ...rest } = viewTask(task);
  return rest;
}
