import type { Nesting } from "../../core/workflow/nested-workflow.ts";
import type { Trial } from "../../core/workflow/plan.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../database/database.ts";
import { isReferenced, type WorkflowRow, workflowColumns } from "./workflows.ts";

/** A current version, without its document. */
export interface WorkflowVersionHead {
  id: string;
  version: number;
  author: string | null;
  reason: string | null;
  changedAt: Date;
}

export interface WorkflowVersionRow extends WorkflowVersionHead {
  workflowId: string;
  /** Secrets in it are encrypted. */
  document: WorkflowDocument;
}

const headColumns = (db: Queryable) => db`
  v.id, v.version, v.change_author as "author", v.change_reason as "reason", v.changed_at as "changedAt"`;

export async function findWorkflowVersion(
  db: Queryable,
  teamId: string,
  workflowId: string,
  version: number,
): Promise<WorkflowVersionRow | undefined> {
  const [row] = await db<WorkflowVersionRow[]>`
    select ${headColumns(db)}, v.workflow_id as "workflowId", v.document from workflow_version v
    where v.team_id = ${teamId} and v.workflow_id = ${workflowId} and v.version = ${version} and v.replaced_at is null`;
  return row;
}

export interface FoundWorkflow {
  workflow: WorkflowRow;
  /** Undefined if the workflow has no such version. */
  version: WorkflowVersionRow | undefined;
  /** The newest version of each task that it uses, by the task's name. */
  latestTasks: Record<string, number>;
}

/**
 * A workflow with one of its versions, the latest one by default, in one statement and so of one moment: the most frequent read (indexes
 * workflow_name or workflow_pkey, and workflow_version_current).
 */
export async function findWorkflowAtVersion(
  db: Queryable,
  teamId: string,
  ref: string,
  version: number | undefined,
): Promise<FoundWorkflow | undefined> {
  const [row] = await db<
    (WorkflowRow & {
      found: (WorkflowVersionHead & { changedAtMs: number }) | null;
      document: WorkflowDocument;
      tasks: Record<string, number>;
    })[]
  >`
    select ${workflowColumns(db)}, v.document,
      case when v.id is not null then json_build_object('id', v.id, 'version', v.version, 'author', v.change_author, 'reason', v.change_reason,
        'changedAtMs', extract(epoch from v.changed_at) * 1000) end as found,
      (select json_object_agg(task.name, task.latest_version) from workflow_version_task u join task on task.id = u.task_id
       where u.team_id = v.team_id and u.workflow_version_id = v.id) as tasks
    from workflow w
      left join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.replaced_at is null
        and v.version = ${version === undefined ? db`w.latest_version` : db`${version}`}
    where w.team_id = ${teamId} and ${isReferenced(db, ref)} and w.deleted_at is null`;
  if (row === undefined) return undefined;
  const { found, document, tasks, ...workflow } = row;
  if (found === null) return { workflow, version: undefined, latestTasks: {} };
  const { changedAtMs, ...head } = found;
  return { workflow, version: { ...head, changedAt: new Date(changedAtMs), workflowId: row.id, document }, latestTasks: tasks ?? {} };
}

/** All current versions, in order (index workflow_version_current). */
export async function listWorkflowVersions(db: Queryable, teamId: string, workflowId: string): Promise<WorkflowVersionHead[]> {
  return db<WorkflowVersionHead[]>`
    select ${headColumns(db)} from workflow_version v
    where v.team_id = ${teamId} and v.workflow_id = ${workflowId} and v.replaced_at is null order by v.version`;
}

/** The newest current ones, the newest first (index workflow_version_current). */
export async function listNewestVersions(db: Queryable, teamId: string, workflowId: string, limit: number): Promise<WorkflowVersionHead[]> {
  return db<WorkflowVersionHead[]>`
    select ${headColumns(db)} from workflow_version v
    where v.team_id = ${teamId} and v.workflow_id = ${workflowId} and v.replaced_at is null order by v.version desc limit ${limit}`;
}

/**
 * The latest versions of those workflows, in no order. Documents beyond `maxBytes` in total are null: the requested ones exceed what one
 * response should contain.
 */
export async function listLatestVersions(
  db: Queryable,
  teamId: string,
  workflowIds: readonly string[],
  maxBytes: number,
): Promise<(Omit<WorkflowVersionRow, "document"> & { document: WorkflowDocument | null })[]> {
  return db`
    select v.id, v.version, v.author, v.reason, v."changedAt", v."workflowId",
      case when v.bytes <= ${maxBytes} then v.text::json end as document
    from (
      select ${headColumns(db)}, v.workflow_id as "workflowId", v.document::text as text,
        sum(octet_length(v.document::text)) over (order by v.id) as bytes
      from workflow w
        join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.version = w.latest_version and v.replaced_at is null
      where w.team_id = ${teamId} and w.id = any(${[...workflowIds]}::uuid[])
    ) v`;
}

export interface NewWorkflowVersion {
  workflowId: string;
  version: number;
  document: WorkflowDocument;
  author: string;
  reason: string;
  /** Absent: it is no trial. */
  trial?: Trial | undefined;
  /** Absent: there are no nested workflows. */
  nesting?: Nesting | undefined;
}

export async function insertWorkflowVersion(db: Queryable, teamId: string, version: NewWorkflowVersion): Promise<WorkflowVersionHead> {
  const [row] = await db<WorkflowVersionHead[]>`
    insert into workflow_version as v (team_id, workflow_id, version, document, change_author, change_reason, trial, nesting)
    values (${teamId}, ${version.workflowId}, ${version.version}, ${JSON.stringify(version.document)}::json, ${version.author}, ${version.reason},
      ${version.trial ? JSON.stringify(version.trial) : null}::json, ${version.nesting ? JSON.stringify(version.nesting) : null}::json)
    returning ${headColumns(db)}`;
  return row!;
}

/** The current version with that number is replaced: another row takes its place in the same transaction. */
export async function retireWorkflowVersion(db: Queryable, teamId: string, workflowId: string, version: number): Promise<void> {
  await db`
    update workflow_version set replaced_at = (select db_now())
    where team_id = ${teamId} and workflow_id = ${workflowId} and version = ${version} and replaced_at is null`;
}

/** A task version that a node uses. */
export interface UsedTaskVersion {
  taskId: string;
  version: number;
  taskVersionId: string;
}

export async function insertVersionTasks(
  db: Queryable,
  teamId: string,
  workflowVersionId: string,
  used: readonly UsedTaskVersion[],
): Promise<void> {
  if (used.length === 0) return;
  await db`
    insert into workflow_version_task (team_id, workflow_version_id, task_id, version, task_version_id)
    select ${teamId}, ${workflowVersionId}, used.task_id, used.version, used.task_version_id
    from unnest(${used.map((task) => task.taskId)}::uuid[], ${used.map((task) => task.version)}::int[],
      ${used.map((task) => task.taskVersionId)}::uuid[]) as used (task_id, version, task_version_id)`;
}

/**
 * The task versions of another version of the team. The tasks are locked first, so that one that is being replaced is copied either before,
 * and then moved with the others, or after.
 */
export async function copyVersionTasks(db: Queryable, teamId: string, fromVersionId: string, toVersionId: string): Promise<void> {
  await db`
    select task.id from task
    where task.id in (select task_id from workflow_version_task where team_id = ${teamId} and workflow_version_id = ${fromVersionId})
    order by task.id for key share`;
  await db`
    insert into workflow_version_task (team_id, workflow_version_id, task_id, version, task_version_id)
    select team_id, ${toVersionId}, task_id, version, task_version_id from workflow_version_task
    where team_id = ${teamId} and workflow_version_id = ${fromVersionId}`;
}

/** The newest version of each task that those workflow versions use, by the name that their nodes use for it. */
export interface LatestTask {
  workflowVersionId: string;
  taskName: string;
  latestVersion: number;
}

export async function listLatestTasks(db: Queryable, teamId: string, workflowVersionIds: readonly string[]): Promise<LatestTask[]> {
  return db<LatestTask[]>`
    select distinct u.workflow_version_id as "workflowVersionId", task.name as "taskName", task.latest_version as "latestVersion"
    from workflow_version_task u join task on task.id = u.task_id
    where u.team_id = ${teamId} and u.workflow_version_id = any(${[...workflowVersionIds]}::uuid[])`;
}
