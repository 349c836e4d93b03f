import type { Workflow, WorkflowTask } from "@millrace/contract/workflow/workflow.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import type { DocumentTask, WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import { maskDocument } from "../../core/workflow/workflow-document-secrets.ts";
import type { ReadWorkflow } from "../../domain/workflow/read-workflow.ts";
import type { Principal } from "../endpoint.ts";
import { etagOf } from "../etag.ts";
import { teamParameter } from "../request-parameters.ts";

/** The parameters of all paths below a workflow. */
export const workflowPath = Type.Object({
  team: teamParameter,
  workflow: Type.String({ description: "Name or ID of the workflow", examples: ["hello-chain"] }),
});

/** Enough for some ten thousand tasks. */
export const workflowBodyLimit = 8 * 1024 * 1024;

/** The latest version is replaced instead of adding a new one. */
export const replaceParameter = Type.Boolean({ default: false, description: "Replace the latest version instead of creating a new one" });

export const versionParameter = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the latest" }));

/** The workflow in that version as it is read: secrets empty, and for each task whether there is a newer one. */
export function viewWorkflow({ workflow, version, latestTasks }: ReadWorkflow, { withTasks = true } = {}): Workflow {
  return {
    id: workflow.id,
    name: workflow.name,
    displayName: workflow.displayName,
    status: workflow.status,
    version: version.version,
    creationDate: workflow.createdAt.toISOString(),
    ...(workflow.archivedAt && { archiveDate: workflow.archivedAt.toISOString() }),
    changelog: viewChange(version),
    ...(workflow.icon !== null && { icon: workflow.icon }),
    ...(workflow.description !== null && { description: workflow.description }),
    labels: workflow.labels,
    annotations: workflow.annotations,
    triggers: workflow.triggers,
    ...(workflow.requiresTests && { requireTests: true }),
    ...viewDocument(version.document, latestTasks, withTasks),
  };
}

/** The versioned part of a workflow or a template, and whether a newer version of some task could be used. */
export function viewDocument(document: WorkflowDocument, latestTasks: ReadonlyMap<string, number>, withTasks: boolean) {
  const { tasks, params, workspaces, ...versioned } = maskDocument(document);
  const viewed = tasks.map((task) => viewTask(task, latestTasks));
  const upgradesAvailable = viewed.some((task) => task.upgradesAvailable === true);
  return { upgradesAvailable, ...versioned, tasks: withTasks ? viewed : [], params, workspaces };
}

function viewTask(task: DocumentTask, latestTasks: ReadonlyMap<string, number>): WorkflowTask {
  const latest = latestTasks.get(task.taskRef ?? "") ?? 0;
  return { ...task, upgradesAvailable: task.taskVersion !== undefined && latest > task.taskVersion };
}

export function viewChange(version: { author: string | null; reason: string | null; changedAt: Date }) {
  return { author: version.author ?? "---", reason: version.reason ?? "", date: version.changedAt.toISOString() };
}

/** Every write of a workflow creates a version row, so its id identifies the state. */
export function workflowTag({ version }: Pick<ReadWorkflow, "version">): string {
  return etagOf(version.id);
}

/** For the audit record: what all versions share, and which version it is. The versions themselves are stored anyway. */
export function auditedWorkflow(view: Workflow): Record<string, unknown> {
  const { tasks, params: _params, workspaces: _workspaces, ...rest } = view;
  return { ...rest, taskCount: tasks.length };
}

/** Whose favourites a request is about. @throws BAD_REQUEST for a token that belongs to no user */
export function favouritesOf({ userId, name }: Principal): string {
  if (userId !== undefined) return userId;
  throw new AppError("BAD_REQUEST", [
    `favourites belong to a person, and ${name} is a token that belongs to no user: sign in, or use a user token`,
  ]);
}
