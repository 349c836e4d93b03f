import { storePlace } from "../../core/worker/workspace-place.ts";
import type { Queryable } from "../database/database.ts";

/** Which archive in the store holds the content of which workspace (table workspace_archive). */

/** The owner of a workspace: a run, or a workflow. */
export interface WorkspaceOwner {
  teamId: string;
  ownerId: string;
}

export interface WorkspaceState {
  ownerId: string;
  /** `empty`: no task has finished in it; `local`: the store lacks changes of finished tasks; `stored`: the archive has all of them. */
  state: "empty" | "local" | "stored";
  archive: WorkspaceArchive | undefined;
  /** False: the folder must be restored before a task uses it. */
  isRestored: boolean;
}

export interface WorkspaceArchive {
  /** Its key in the store. */
  key: string;
  /** Hexadecimal digest of the stored object. */
  sha256: string;
  /** Size of the stored object. */
  bytes: number;
  /** The place it was archived in. */
  place: string;
  /** Fingerprint of the folder in that place when it was archived. */
  fingerprint: string;
}

export async function listWorkspaceStates(db: Queryable, teamId: string, ownerIds: readonly string[]): Promise<WorkspaceState[]> {
  const rows = await db<{ ownerId: string; state: WorkspaceState["state"]; archive: WorkspaceArchive | null; isRestored: boolean }[]>`
    select c.owner_id as "ownerId", c.state, c.is_restored as "isRestored",
           case when c.archive_key is not null then json_build_object('key', c.archive_key, 'sha256', c.archive_sha256, 'bytes', c.archive_bytes,
             'place', c.archive_place, 'fingerprint', c.archive_fingerprint) end as archive
    from workspace_archive c where c.team_id = ${teamId} and c.owner_id = any(${[...ownerIds]}::uuid[])`;
  return rows.map(({ archive, ...row }) => ({ ...row, archive: archive ?? undefined }));
}

/** The database's time, taken before a folder is read: tasks that finish later are not in the archive. */
export async function readMoment(db: Queryable): Promise<Date> {
  const [{ now }] = await db<[{ now: Date }]>`select db_now() as now`;
  return now;
}

/**
 * Records the archive of a workspace, or with `undefined` that archiving failed and only the folder has the content. Records nothing if the
 * workspace has moved to another place, or if a newer archive is recorded.
 *
 * @param from the time before the folder was read
 * @returns the key of the archive it replaces
 */
export async function recordArchive(
  db: Queryable,
  { teamId, ownerId }: WorkspaceOwner,
  place: string,
  from: Date,
  archive: WorkspaceArchive | undefined,
): Promise<{ isRecorded: boolean; formerKey: string | undefined }> {
  const [row] = await db<{ formerKey: string | null }[]>`
    with place as (
      select from workspace_place w where w.team_id = ${teamId} and w.owner_id = ${ownerId} and w.place = ${place} limit 1 for share
    ), former as (
      select c.archive_key from workspace_archive c where c.team_id = ${teamId} and c.owner_id = ${ownerId} for update
    )
    insert into workspace_archive as c (team_id, owner_id, state, from_at, archive_key, archive_sha256, archive_bytes, archive_place, archive_fingerprint)
    select ${teamId}, ${ownerId}, ${archive ? "stored" : "local"}, ${from}::timestamptz, ${archive?.key ?? null}::text, ${archive?.sha256 ?? null}::text,
           ${archive?.bytes ?? null}::bigint, ${archive ? place : null}::text, ${archive?.fingerprint ?? null}::text
    from place left join former on true -- which is to be read before it is changed
    on conflict (team_id, owner_id) do update
    set state = excluded.state, from_at = excluded.from_at, archive_key = excluded.archive_key, archive_sha256 = excluded.archive_sha256,
        archive_bytes = excluded.archive_bytes, archive_place = excluded.archive_place, archive_fingerprint = excluded.archive_fingerprint
    where c.from_at <= excluded.from_at and c.is_restored
    returning (select archive_key from former) as "formerKey"`;
  return { isRecorded: row !== undefined, formerKey: row?.formerKey ?? undefined };
}

/** Moves workspaces that are in the store to this place. */
export async function takeStored(db: Queryable, teamId: string, ownerIds: readonly string[], place: string): Promise<void> {
  await db`
    update workspace_place set place = ${place}, taken_at = db_now()
    where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[]) and place = ${storePlace}`;
}

/** Locks a workspace for restoring. @returns false if another process has restored it, or it has moved to another place */
export async function lockUnrestored(db: Queryable, { teamId, ownerId }: WorkspaceOwner, place: string): Promise<boolean> {
  const rows = await db`
    select from workspace_archive c
    where c.team_id = ${teamId} and c.owner_id = ${ownerId} and not c.is_restored
      and exists (select from workspace_place w where w.team_id = c.team_id and w.owner_id = c.owner_id and w.place = ${place} for share)
    for update of c`;
  return rows.length > 0;
}

export async function markRestored(db: Queryable, { teamId, ownerId }: WorkspaceOwner): Promise<void> {
  await db`update workspace_archive set is_restored = true where team_id = ${teamId} and owner_id = ${ownerId}`;
}

/** The folder is missing: restores it from the archive before its next use. @returns false if there is no complete archive */
export async function markMissing(db: Queryable, { teamId, ownerId }: WorkspaceOwner): Promise<boolean> {
  const rows = await db`
    update workspace_archive set is_restored = false
    where team_id = ${teamId} and owner_id = ${ownerId} and state <> 'local' and is_restored returning 1`;
  return rows.length > 0;
}

export interface UnarchivedWorkspace extends WorkspaceOwner {
  scope: "workflow" | "workflowrun";
  /** Its size in the last run that has it, as text. */
  size: string | null;
}

/** Workspaces in this place whose last archiving failed. */
export async function listUnarchived(db: Queryable, place: string): Promise<UnarchivedWorkspace[]> {
  return db`
    select distinct on (c.team_id, c.owner_id) c.team_id as "teamId", c.owner_id as "ownerId", w.scope, declared.size
    from workspace_archive c
      join workspace_place w on w.team_id = c.team_id and w.owner_id = c.owner_id
      left join lateral (
        (select r.workspaces from run r where r.team_id = c.team_id and r.id = c.owner_id)
        union all
        (select r.workspaces from run r where r.team_id = c.team_id and r.workflow_id = c.owner_id order by r.id desc limit 1)) run on true
      left join lateral (
        select d->'spec'->>'size' as size from json_array_elements(run.workspaces) d
        where coalesce(d->>'type', d->>'name') = w.scope limit 1) declared on true
    where w.place = ${place} and c.state = 'local'`;
}

/**
 * Moves archived workspaces of places without a worker to the store, and the task runs that wait for them to the queue of workers
 * with the store. A place counts only when its last worker holds no attempt: until the attempts are lost, their ends may still be
 * accepted and must be in the archive. Safe to run in several processes at once.
 *
 * @returns whether task runs became claimable
 */
export async function releaseArchived(db: Queryable): Promise<boolean> {
  const places = await db<{ id: string }[]>`
    select p.id from place p
    where not exists (
        select from worker w
        where w.place = p.id
          and (w.lease_until > (select db_now()) or exists (select from task_run t where t.worker_id = w.id and t.status = 'running')))
      and (exists (select from workspace_place w where w.place = p.id)
        or exists (select from ready_team rt join task_run t on t.team_id = rt.team_id and t.place = p.id and t.claimable_at is not null))`;
  if (places.length === 0) return false;
  const ids = places.map(({ id }) => id);
  await db`
    with moved as (
      update workspace_place w set place = ${storePlace}
      from workspace_archive c
      where w.place = any(${ids}) and c.team_id = w.team_id and c.owner_id = w.owner_id and c.state <> 'local'
      returning w.team_id, w.owner_id)
    update workspace_archive c set is_restored = false from moved m where c.team_id = m.team_id and c.owner_id = m.owner_id`;
  const waiting = await db`
    update task_run t set place = goes.place
    from (
      select q.team_id, q.id, q.place as waits_for, find_place(q.team_id, workspace_owners(r.workspaces, r.id, r.workflow_id), q.executor) as place
      from ready_team rt cross join unnest(${ids}::text[]) as gone(place)
        join task_run q on q.team_id = rt.team_id and q.place = gone.place and q.claimable_at is not null
        join run r on r.team_id = q.team_id and r.id = q.run_id) goes
    where t.team_id = goes.team_id and t.id = goes.id and t.place = goes.waits_for and t.claimable_at is not null and goes.place <> goes.waits_for
    returning 1`;
  return waiting.length > 0;
}
