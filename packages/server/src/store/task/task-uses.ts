import { type DefinitionType, stepActionType } from "@millrace/contract/status.ts";
import type { TaskSpec, TaskStatus } from "@millrace/contract/task/task.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";
import { isNoTry } from "../workflow/hidden-workflows.ts";

/**
 * Tasks as workflows use them. A name means the team's own task first, then the global one. What a workflow version uses is stored
 * (workflow_version_task), so that a task in use is not deleted, and a replaced version reaches its users.
 */

/** The reference of a node. */
export interface WantedTask {
  /** Name or id. */
  ref: string;
  /** Null: the latest. */
  version: number | null;
}

export interface NodeTask {
  /** Index of the node that uses it, in the list that was asked for. */
  position: number;
  id: string;
  /** Null: a global task. */
  teamId: string | null;
  name: string;
  type: DefinitionType;
  status: TaskStatus;
  latestVersion: number;
  /** Null, like all that follow, if the task has no such version. */
  versionId: string | null;
  version: number | null;
  displayName: string | null;
  spec: TaskSpec | null;
  /** Its annotation of that name, with any value. */
  network: unknown;
}

/**
 * The tasks of those nodes, of the team and global ones (without a team only these); a node without a matching task is missing. To save a
 * workflow use `lockTasksForNodes`. Each node is resolved by the unique index task_name or the primary key.
 */
export async function listTasksForNodes(db: Queryable, teamId: string | null, wanted: readonly WantedTask[]): Promise<NodeTask[]> {
  const rows = await db<NodeTask[]>`
    select wanted.position::int, t.id, t.team_id as "teamId", t.name, t.type, t.status, t.latest_version as "latestVersion",
      v.id as "versionId", v.version, v.display_name as "displayName", v.spec,
      t.annotations -> 'millrace.dev/network' as network
    from unnest(${wanted.map(({ ref }) => ref)}::text[], ${wanted.map(({ ref }) => asId(ref))}::uuid[],
        ${wanted.map(({ version }) => version)}::int[]) with ordinality as wanted (name, id, version, position)
      cross join lateral (
        select id, team_id, name, type, status, latest_version, annotations from task
        where (team_id = ${teamId} or team_id is null) and (name = wanted.name or id = wanted.id) and deleted_at is null
        order by team_id nulls last limit 1) t
      left join task_version v on v.task_id = t.id and v.version = coalesce(wanted.version, t.latest_version) and v.replaced_at is null
    order by wanted.position`;
  return rows.map((row) => ({ ...row, position: row.position - 1 }));
}

/** Names that a node could have: at most a thousand, those of the team first. For the message about an unknown name. */
export async function listTaskNames(db: Queryable, teamId: string | null): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from task
    where (team_id = ${teamId} or team_id is null) and deleted_at is null and status = 'active' and type <> ${stepActionType}
    order by team_id nulls last, name limit 1000`;
  return rows.map(({ name }) => name);
}

/**
 * As `listTasksForNodes`, and holds the tasks until the transaction ends against being deleted or replaced (`lockTask` waits), but not
 * against each other: saves of workflows continue side by side. Locked first, in one order, and read after.
 */
export async function lockTasksForNodes(db: Queryable, teamId: string | null, wanted: readonly WantedTask[]): Promise<NodeTask[]> {
  await db`
    select id from task
    where (team_id = ${teamId} or team_id is null) and deleted_at is null
      and (name = any(${wanted.map(({ ref }) => ref)}) or id = any(${wanted.map(({ ref }) => asId(ref))}::uuid[]))
    order by id for key share`;
  return listTasksForNodes(db, teamId, wanted);
}

function asId(ref: string): string | null {
  return isId(ref) ? ref : null;
}

/** Names of the workflows of which a current version uses the task. */
export async function listWorkflowsUsing(db: Queryable, teamId: string, taskId: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select distinct w.name from workflow_version_task u
      join workflow_version v on v.team_id = u.team_id and v.id = u.workflow_version_id and v.replaced_at is null
      join workflow w on w.team_id = v.team_id and w.id = v.workflow_id and w.deleted_at is null and ${isNoTry(db)}
    where u.team_id = ${teamId} and u.task_id = ${taskId} order by w.name`;
  return rows.map(({ name }) => name);
}

/** After a version of a team's task was replaced: from the next run on, workflows use the new row. For global tasks see directory.ts. */
export async function moveTaskUses(db: Queryable, teamId: string, fromVersionId: string, toVersionId: string): Promise<void> {
  await db`
    update workflow_version_task set task_version_id = ${toVersionId} where team_id = ${teamId} and task_version_id = ${fromVersionId}`;
}
