import type { Queryable } from "../database/database.ts";
import type { NewTask, NewTaskVersion } from "./tasks.ts";

/**
 * A draft of a task that is tried without being saved: it is stored as a task that counts as deleted from the start. So it is in no list,
 * takes no name, and can only be used by the one workflow that is created for the try, with which it is removed.
 */
export async function insertDraft(db: Queryable, task: NewTask, version: NewTaskVersion): Promise<{ id: string; versionId: string }> {
  const [row] = await db<{ id: string; versionId: string }[]>`
    with now as (select db_now() as at),
      draft as (
        insert into task (team_id, name, type, status, verified, latest_version, labels, annotations, created_at, deleted_at)
        select ${task.teamId}::uuid, ${task.name}, ${task.type}, ${task.status}, ${task.verified}, ${version.version},
          ${JSON.stringify(task.labels)}::jsonb, ${JSON.stringify(task.annotations)}::json, now.at, now.at from now
        returning id)
    insert into task_version (task_id, version, display_name, description, category, icon, spec, change_author, change_reason)
    select draft.id, ${version.version}::int, ${version.displayName}, ${version.description}::text, ${version.category}::text,
      ${version.icon}::text, ${JSON.stringify(version.spec)}::json, ${version.author}, ${version.reason} from draft
    returning task_id as id, id as "versionId"`;
  return row!;
}

/**
 * The drafts that a workflow was created to try, of the team or of a global task. Call it before the workflow is removed, since its uses
 * are removed with it.
 */
export async function listDraftsOf(db: Queryable, teamId: string, workflowId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select t.id from workflow_version v
      join workflow_version_task u on u.team_id = v.team_id and u.workflow_version_id = v.id
      join task t on t.id = u.task_id and t.deleted_at = t.created_at
    where v.team_id = ${teamId} and v.workflow_id = ${workflowId}`;
  return rows.map(({ id }) => id);
}

/** Permanently removes those, with their only version. A draft that another workflow of the team uses, for whatever reason, stays. */
export async function deleteDrafts(db: Queryable, teamId: string, ids: readonly string[]): Promise<void> {
  await db`
    delete from task t where t.id = any(${[...ids]}::uuid[]) and (t.team_id = ${teamId} or t.team_id is null)
      and t.deleted_at = t.created_at and not exists (select from workflow_version_task u where u.team_id = ${teamId} and u.task_id = t.id)`;
}
