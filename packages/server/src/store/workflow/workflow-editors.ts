import { editingSeconds } from "@millrace/contract/workflow/workflow-editing.ts";
import type { Queryable } from "../database/database.ts";

/** Who has a workflow open in an editor. A row counts until it expires, by the database's clock; then housekeeping removes it. */

/** Most windows of one person on a workflow, and of all; a further one replaces the least recently active one. */
const mostOfPrincipal = 10;
const mostOfWorkflow = 50;

export interface EditorRow {
  session: string;
  /** The principal. */
  principal: string;
  name: string;
  unsaved: boolean;
  since: Date;
}

export interface EditorLease {
  teamId: string;
  workflowId: string;
  session: string;
  principal: string;
  name: string;
  unsaved: boolean;
}

/**
 * Begins an editing session, or extends it, in one statement. Two windows that begin at once may exceed the limits by a row.
 * @returns whether something changed for others: it began, or its unsaved changes appeared or disappeared
 */
export async function extendEditor(db: Queryable, lease: EditorLease): Promise<boolean> {
  const { teamId, workflowId, session, principal, name, unsaved } = lease;
  const [row] = await db<{ isChanged: boolean }[]>`
    with before as (
      select unsaved from workflow_editor
      where team_id = ${teamId} and workflow_id = ${workflowId} and principal = ${principal} and session = ${session} and ${isOpen(db)}
    ), ranked as (
      select e.principal, e.session, e.principal = ${principal} as mine,
        row_number() over (order by e.expires_at desc) as place,
        row_number() over (partition by e.principal order by e.expires_at desc) as own_place
      from workflow_editor e
      where e.team_id = ${teamId} and e.workflow_id = ${workflowId} and not (e.principal = ${principal} and e.session = ${session})
    ), outdated as (
      delete from workflow_editor e using ranked r
      where e.team_id = ${teamId} and e.workflow_id = ${workflowId} and e.principal = r.principal and e.session = r.session
        and (e.expires_at <= (select db_now()) or r.place >= ${mostOfWorkflow}::int or (r.mine and r.own_place >= ${mostOfPrincipal}::int))
    ), written as (
      insert into workflow_editor as e (team_id, workflow_id, session, principal, name, unsaved, since, expires_at)
      select ${teamId}, ${workflowId}, ${session}, ${principal}, ${name}, ${unsaved}, now.at, now.at + make_interval(secs => ${editingSeconds})
      from (select db_now() as at) as now
      on conflict (team_id, workflow_id, principal, session) do update set
        name = excluded.name, unsaved = excluded.unsaved, expires_at = excluded.expires_at,
        since = case when e.expires_at > excluded.since then e.since else excluded.since end
    )
    select coalesce((select unsaved <> ${unsaved} from before), true) as "isChanged"`;
  return row!.isChanged;
}

const isOpen = (db: Queryable) => db`expires_at > (select db_now())`;

/** All open sessions, in the order in which they began. */
export async function listEditors(db: Queryable, teamId: string, workflowId: string): Promise<EditorRow[]> {
  return db<EditorRow[]>`
    select session, principal, name, unsaved, since from workflow_editor
    where team_id = ${teamId} and workflow_id = ${workflowId} and ${isOpen(db)} order by since, session limit ${mostOfWorkflow}`;
}

/** @returns whether there was such a session */
export async function deleteEditor(
  db: Queryable,
  lease: Pick<EditorLease, "teamId" | "workflowId" | "principal" | "session">,
): Promise<boolean> {
  const { count } = await db`
    delete from workflow_editor where team_id = ${lease.teamId} and workflow_id = ${lease.workflowId} and principal = ${lease.principal}
      and session = ${lease.session}`;
  return count > 0;
}

/** Of all teams (index workflow_editor_expired). */
export async function deleteExpiredEditors(db: Queryable): Promise<void> {
  await db`delete from workflow_editor where expires_at < (select db_now())`;
}
