import { isId } from "../../base/text/uuid.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import type { ScheduleFields } from "../../core/schedule/schedule-fields.ts";
import type { Queryable } from "../database/database.ts";
import { andNamesHave } from "../database/name-search.ts";

export interface ScheduleRow extends ScheduleFields {
  id: string;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  /** The workflows that led to it, if a run created it. */
  lineage: Lineage;
  lastAt: Date | null;
  lastRunId: string | null;
  createdAt: Date;
  /** The scheduled time for which an alert said that nothing fires it. */
  alertedFor: Date | null;
  /** Parameters that the workflow currently declares as secrets. */
  secretNames: string[];
  /** The last of its recorded times that the database's clock has not reached. */
  firedAhead: Date | null;
  /** The database's time. */
  now: Date;
}

/** @param s the alias of the table, joined with its workflow as `w` */
export const storedScheduleColumns = (db: Queryable) => db`
  s.id, s.workflow_id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName", s.lineage, s.name, s.description, s.type, s.status, s.status_message as "statusMessage",
  s.labels, s.cron, s.date_at as "dateAt", s.timezone, s.params, s.overlap_policy as "overlapPolicy", s.catch_up_policy as "catchUpPolicy",
  s.catch_up_window_minutes as "catchUpWindowMinutes", s.jitter_seconds as "jitterSeconds", s.exclusions, s.next_at as "nextAt",
  s.fire_at as "fireAt", s.last_at as "lastAt", s.last_run_id as "lastRunId", s.created_at as "createdAt", s.alerted_for as "alertedFor"`;

const scheduleColumns = (db: Queryable) => db`
  ${storedScheduleColumns(db)},
  array(select p->>'name' from workflow_version v, json_array_elements(v.document->'params') p
        where v.team_id = w.team_id and v.workflow_id = w.id and v.version = w.latest_version and v.replaced_at is null
          and lower(p->>'type') = 'password') as "secretNames",
  (select max(f.scheduled_for) from schedule_firing f
   where f.team_id = s.team_id and f.schedule_id = s.id and f.scheduled_for > (select db_now())) as "firedAhead", (select db_now()) as now`;

const fromSchedules = (db: Queryable) => db`
  from schedule s join workflow w on w.team_id = s.team_id and w.id = s.workflow_id and w.deleted_at is null`;

/** @param workflowId limits it to schedules of this workflow; undefined: no limit */
export async function findSchedule(db: Queryable, teamId: string, id: string, workflowId?: string): Promise<ScheduleRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await db<ScheduleRow[]>`
    select ${scheduleColumns(db)} ${fromSchedules(db)}
    where s.team_id = ${teamId} and s.id = ${id} ${workflowId === undefined ? db`` : db`and s.workflow_id = ${workflowId}`}`;
  return row;
}

/** The same, locked until the transaction ends: it neither fires nor is it changed meanwhile. */
export async function lockSchedule(db: Queryable, teamId: string, id: string, workflowId?: string): Promise<ScheduleRow | undefined> {
  if (!isId(id)) return undefined;
  await db`select 1 from schedule where team_id = ${teamId} and id = ${id} for update`;
  return findSchedule(db, teamId, id, workflowId);
}

/** With an id that was created before, because the jitter depends on it. */
export async function insertSchedule(
  db: Queryable,
  teamId: string,
  { id, workflowId, lineage }: { id: string; workflowId: string; lineage: Lineage },
  fields: ScheduleFields,
): Promise<void> {
  await db`
    insert into schedule (team_id, id, workflow_id, lineage, name, description, type, status, status_message, labels, cron, date_at, timezone, params,
      overlap_policy, catch_up_policy, catch_up_window_minutes, jitter_seconds, exclusions, next_at, fire_at)
    values (${teamId}, ${id}, ${workflowId}, ${[...lineage]}::uuid[], ${fields.name}, ${fields.description}, ${fields.type}, ${fields.status}, ${fields.statusMessage},
      ${JSON.stringify(fields.labels)}::jsonb, ${fields.cron}, ${fields.dateAt}, ${fields.timezone}, ${JSON.stringify(fields.params)}::json,
      ${fields.overlapPolicy}, ${fields.catchUpPolicy}, ${fields.catchUpWindowMinutes}, ${fields.jitterSeconds}, ${fields.exclusions},
      ${fields.nextAt}, ${fields.fireAt})`;
}

export async function updateSchedule(db: Queryable, teamId: string, id: string, fields: ScheduleFields): Promise<void> {
  await db`
    update schedule set name = ${fields.name}, description = ${fields.description}, type = ${fields.type}, status = ${fields.status},
      status_message = ${fields.statusMessage}, labels = ${JSON.stringify(fields.labels)}::jsonb, cron = ${fields.cron},
      date_at = ${fields.dateAt}, timezone = ${fields.timezone}, params = ${JSON.stringify(fields.params)}::json,
      overlap_policy = ${fields.overlapPolicy}, catch_up_policy = ${fields.catchUpPolicy},
      catch_up_window_minutes = ${fields.catchUpWindowMinutes}, jitter_seconds = ${fields.jitterSeconds}, exclusions = ${fields.exclusions},
      next_at = ${fields.nextAt}, fire_at = ${fields.fireAt}
    where team_id = ${teamId} and id = ${id}`;
}

/** What changes automatically: when it fires next, and why it no longer does. */
export type ScheduleProgress = Pick<ScheduleFields, "status" | "statusMessage" | "nextAt" | "fireAt"> &
  Pick<ScheduleRow, "lastAt" | "lastRunId">;

export async function moveSchedule(db: Queryable, teamId: string, id: string, progress: ScheduleProgress): Promise<void> {
  await db`
    update schedule set status = ${progress.status}, status_message = ${progress.statusMessage}, next_at = ${progress.nextAt},
      fire_at = ${progress.fireAt}, last_at = ${progress.lastAt}, last_run_id = ${progress.lastRunId}
    where team_id = ${teamId} and id = ${id}`;
}

/** Stops it with an error, unless it was changed in the meantime. */
export async function failSchedule(
  db: Queryable,
  teamId: string,
  id: string,
  { seenFireAt, statusMessage }: { seenFireAt: Date; statusMessage: string },
): Promise<void> {
  await db`
    update schedule set status = 'error', status_message = ${statusMessage}, next_at = null, fire_at = null
    where team_id = ${teamId} and id = ${id} and fire_at = ${seenFireAt}`;
}

/** With its history. @returns false if it doesn't exist */
export async function deleteSchedule(db: Queryable, teamId: string, id: string): Promise<boolean> {
  const { count } = await db`delete from schedule where team_id = ${teamId} and id = ${id}`;
  return count > 0;
}

/** Waits for those that are firing right now, so that none of them submits a run afterwards. */
export async function deleteSchedulesOfWorkflow(db: Queryable, teamId: string, workflowId: string): Promise<void> {
  await db`delete from schedule where team_id = ${teamId} and workflow_id = ${workflowId}`;
}

export async function deleteSchedulesOfTeam(db: Queryable, teamId: string): Promise<void> {
  await db`delete from schedule where team_id = ${teamId}`;
}

/** The trigger of their workflow was turned off. */
export async function disableSchedulesOfWorkflow(db: Queryable, teamId: string, workflowId: string): Promise<void> {
  await db`
    update schedule set status = 'trigger_disabled', status_message = null, next_at = null, fire_at = null
    where team_id = ${teamId} and workflow_id = ${workflowId} and status = 'active'`;
}

/** Those that wait for the trigger of their workflow, locked until the transaction ends. */
export async function lockDisabledSchedules(db: Queryable, teamId: string, workflowId: string): Promise<ScheduleRow[]> {
  await db`
    select 1 from schedule where team_id = ${teamId} and workflow_id = ${workflowId} and status = 'trigger_disabled' order by id for update`;
  return db<ScheduleRow[]>`
    select ${scheduleColumns(db)} ${fromSchedules(db)}
    where s.team_id = ${teamId} and s.workflow_id = ${workflowId} and s.status = 'trigger_disabled' order by s.id`;
}

export interface ScheduleFilter {
  /** All if undefined or empty, like the next two. */
  statuses?: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** Names or ids. */
  workflows?: readonly string[] | undefined;
  ids?: readonly string[] | undefined;
  /** All must match. */
  labels?: Record<string, string> | undefined;
  /** In the name, the description, or a name of the workflow. */
  search?: string | undefined;
  /** Limits it to schedules of this workflow, for the caller. */
  onlyWorkflowId?: string | undefined;
}

const matches = (db: Queryable, teamId: string, filter: ScheduleFilter) => db`
  s.team_id = ${teamId}
  ${filter.onlyWorkflowId === undefined ? db`` : db`and s.workflow_id = ${filter.onlyWorkflowId}`}
  ${filter.labels === undefined ? db`` : db`and s.labels @> ${JSON.stringify(filter.labels)}::jsonb`}
  ${filter.ids === undefined ? db`` : db`and s.id = any(${filter.ids.filter(isId)}::uuid[])`}
  ${filter.statuses?.length ? db`and s.status = any(${[...filter.statuses]})` : db``}
  ${filter.types?.length ? db`and s.type = any(${[...filter.types]})` : db``}
  ${
    filter.workflows?.length
      ? db`and (w.name = any(${filter.workflows.map((ref) => ref.toLowerCase())}) or w.id = any(${filter.workflows.filter(isId)}::uuid[]))`
      : db``
  }
  ${andNamesHave(db, filter.search, db`s.name`, db`left(s.description, 2000)`, db`w.name`, db`w.display_name`)}`;

export async function countSchedules(db: Queryable, teamId: string, filter: ScheduleFilter): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count ${fromSchedules(db)} where ${matches(db, teamId, filter)}`;
  return row?.count ?? 0;
}

/** One page, by date of creation and then id: paging never repeats or skips (index schedule_created). */
export async function listSchedules(
  db: Queryable,
  teamId: string,
  filter: ScheduleFilter,
  page: { limit: number; offset: number },
): Promise<ScheduleRow[]> {
  return db<ScheduleRow[]>`
    select ${scheduleColumns(db)} ${fromSchedules(db)} where ${matches(db, teamId, filter)}
    order by s.created_at, s.id limit ${page.limit} offset ${page.offset}`;
}

/** Schedules of a workflow with this name: at most two, to detect ambiguity. */
export async function listSchedulesNamed(db: Queryable, teamId: string, workflowId: string, name: string): Promise<ScheduleRow[]> {
  return db<ScheduleRow[]>`
    select ${scheduleColumns(db)} ${fromSchedules(db)}
    where s.team_id = ${teamId} and s.workflow_id = ${workflowId} and s.name = ${name} order by s.id limit 2`;
}

/** Those of a workflow that give parameters to their runs, locked until the transaction ends. */
export async function lockSchedulesWithParams(
  db: Queryable,
  teamId: string,
  workflowId: string,
): Promise<Pick<ScheduleRow, "id" | "params">[]> {
  return db<Pick<ScheduleRow, "id" | "params">[]>`
    select id, params from schedule
    where team_id = ${teamId} and workflow_id = ${workflowId} and json_array_length(params) > 0 order by id for update`;
}

export async function updateScheduleParams(db: Queryable, teamId: string, id: string, params: ScheduleRow["params"]): Promise<void> {
  await db`update schedule set params = ${JSON.stringify(params)}::json where team_id = ${teamId} and id = ${id}`;
}

export interface NextTimeRow {
  scheduleId: string;
  name: string;
  at: Date;
}

/** When the schedules of a workflow fire that are due first (index schedule_workflow). */
export async function listNextTimes(db: Queryable, teamId: string, workflowId: string, limit: number): Promise<NextTimeRow[]> {
  return db<NextTimeRow[]>`
    select s.id as "scheduleId", s.name, s.next_at as at from schedule s
    where s.team_id = ${teamId} and s.workflow_id = ${workflowId} and s.next_at is not null order by s.next_at, s.id limit ${limit}`;
}
