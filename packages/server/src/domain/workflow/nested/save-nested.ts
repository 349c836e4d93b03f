import { createHash } from "node:crypto";
import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { isSameJson } from "../../../core/document/same-json.ts";
import type { NestedPlace, NestedRef } from "../../../core/workflow/nested-workflow.ts";
import { nestedPrefix } from "../../../core/workflow/try-name.ts";
import type { WorkflowDocument } from "../../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listTasksForNodes } from "../../../store/task/task-uses.ts";
import {
  findWorkflowVersion,
  insertVersionTasks,
  insertWorkflowVersion,
  type UsedTaskVersion,
} from "../../../store/workflow/workflow-versions.ts";
import { insertWorkflow, lockWorkflow, updateWorkflow, type WorkflowHead, type WorkflowRow } from "../../../store/workflow/workflows.ts";

/**
 * Stores nested workflows for their runs: each is a version of a hidden workflow, one for each task that has one. The hidden workflow
 * belongs to the workflow that contains it, by its name, and is written in the same transaction as the document. If nothing changed, there
 * is no new version, so that a rerun can tell what has changed.
 */

interface NestedOwner {
  team: { id: string };
  author: string;
  workflow: { id: string; displayName: string };
}

/** Those of a document that is about to be stored. @returns where they are stored, by the name of the task; undefined if there are none */
export async function saveNested(
  db: Queryable,
  owner: NestedOwner,
  document: WorkflowDocument,
  path: readonly string[] = [],
): Promise<Record<string, NestedRef> | undefined> {
  const found: [string, NestedRef][] = [];
  for (const { name, workflow } of document.tasks)
    if (workflow) found.push([name, await saveOne(db, owner, workflow as WorkflowDocument, [...path, name])]);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

async function saveOne(db: Queryable, owner: NestedOwner, document: WorkflowDocument, path: readonly string[]): Promise<NestedRef> {
  const { team, author } = owner;
  const inner = await saveNested(db, owner, document, path);
  const name = nestedName(owner.workflow.id, path);
  const present = await lockWorkflow(db, team.id, name);
  const last = present && (await findWorkflowVersion(db, team.id, present.id, present.latestVersion));
  if (last && isSameJson(last.document, document)) return { workflowId: last.workflowId, version: last.version };
  const head = headOf(owner, path);
  const workflow = present ?? (await insertHidden(db, team.id, name, head));
  const version = present ? present.latestVersion + 1 : 1;
  const of: NestedPlace = { workflowId: owner.workflow.id, task: path.map(escapePointer).join("/") };
  const row = await insertWorkflowVersion(db, team.id, {
    ...{ workflowId: workflow.id, version, document, author, reason: `Nested in ${path.join(" / ")}`.slice(0, 500) },
    nesting: { ...(inner && { inner }), of },
  });
  await insertVersionTasks(db, team.id, row.id, await findUsed(db, team.id, document));
  await updateWorkflow(db, team.id, workflow.id, head, version);
  return { workflowId: workflow.id, version };
}

/** Names may have any characters, and a path any length. */
function nestedName(workflowId: string, path: readonly string[]): string {
  const place = createHash("sha256").update(JSON.stringify(path)).digest("hex").slice(0, 16);
  return `${nestedPrefix}${workflowId}~${place}`;
}

async function insertHidden(db: Queryable, teamId: string, name: string, head: WorkflowHead): Promise<WorkflowRow> {
  const row = await insertWorkflow(db, teamId, name, head);
  if (row === undefined) throw new Error(`the nested workflow ${name} was saved twice at once, although its workflow is locked`);
  return row;
}

function headOf({ workflow }: NestedOwner, path: readonly string[]): WorkflowHead {
  return {
    displayName: [workflow.displayName, ...path].join(" / ").slice(0, 256),
    ...{ status: "active", icon: null, description: null, labels: {}, annotations: {}, requiresTests: false },
    triggers: {},
  } as WorkflowHead;
}

/** The document contains the task versions. */
async function findUsed(db: Queryable, teamId: string, { tasks }: WorkflowDocument): Promise<UsedTaskVersion[]> {
  const wanted = new Map(
    tasks.flatMap(({ taskRef, taskVersion }) =>
      taskRef === undefined ? [] : [[`${taskVersion} ${taskRef}`, { ref: taskRef, version: taskVersion ?? null }] as const],
    ),
  );
  const found = await listTasksForNodes(db, teamId, [...wanted.values()]);
  const used = found.flatMap(({ id, version, versionId }) =>
    version === null || versionId === null ? [] : [{ taskId: id, version, taskVersionId: versionId }],
  );
  if (used.length === wanted.size) return used;
  throw new AppError("CONFLICT", ["A task that the nested workflow uses was replaced or deleted meanwhile; save the workflow again"]);
}
