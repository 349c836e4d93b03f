import type { Phase, Status, TriggerKind, WaitKind } from "@millrace/contract/status.ts";
import type { Queryable } from "../database/database.ts";
import { waitKindsOf } from "./runs.ts";

/** The latest runs of one workflow. Each statement reads a limited number of rows through an index, however long the history is. */

export interface MeasuredRun {
  id: string;
  status: Status;
  statusMessage: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

export interface GridRunRow extends MeasuredRun {
  phase: Phase;
  reason: string | null;
  waitKinds: WaitKind[];
  trigger: TriggerKind;
  initiatedBy: string | null;
  initiatorName: string | null;
  workflowVersion: number;
  workflowVersionId: string;
  taskVersionIds: string[];
}

const measured = (db: Queryable) => db`
  r.id, r.status, left(r.status_message, 500) as "statusMessage", r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt"`;

/** The newest first (index run_workflow). */
export async function listMeasuredRuns(db: Queryable, teamId: string, workflowId: string, limit: number): Promise<MeasuredRun[]> {
  return db<MeasuredRun[]>`
    select ${measured(db)} from run r where r.team_id = ${teamId} and r.workflow_id = ${workflowId} order by r.id desc limit ${limit}`;
}

/** The newest first, with the displayed data of each (index run_workflow). */
export async function listGridRuns(db: Queryable, teamId: string, workflowId: string, limit: number): Promise<GridRunRow[]> {
  return db<GridRunRow[]>`
    select ${measured(db)}, r.phase, r.reason, ${waitKindsOf(db)}, r.trigger, r.initiated_by as "initiatedBy",
      initiator_name(r.team_id, r.initiated_by) as "initiatorName", r.workflow_version as "workflowVersion",
      r.workflow_version_id as "workflowVersionId", r.task_version_ids as "taskVersionIds"
    from run r where r.team_id = ${teamId} and r.workflow_id = ${workflowId} order by r.id desc limit ${limit}`;
}

export interface GridCellRow {
  runId: string;
  id: string;
  name: string;
  status: Status;
  reason: string | null;
  statusMessage: string | null;
  waitKind: string | null;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** The requested nodes of a run, by their index in its plan. */
export interface WantedNodes {
  runId: string;
  nodes: number[];
}

/** More than needed: the limit makes the planner look up each run separately, where it would otherwise read all runs together. */
const mostNodes = 1_000;

/** Task runs of these nodes without those of their items (index task_run_run): a run with 5,000 items costs no more than one without. */
export async function listGridCells(db: Queryable, teamId: string, wanted: readonly WantedNodes[]): Promise<GridCellRow[]> {
  if (wanted.length === 0) return [];
  return db<GridCellRow[]>`
    select w."runId", t.id, t.name, t.status, t.reason, left(t.status_message, 300) as "statusMessage", t.wait_kind as "waitKind",
      t.started_at as "startedAt", t.ended_at as "endedAt"
    from json_to_recordset(${JSON.stringify(wanted)}::json) as w("runId" uuid, nodes int[])
    cross join lateral (
      select t.id, t.name, t.status, t.reason, t.status_message, t.wait_kind, t.started_at, t.ended_at from task_run t
      where t.team_id = ${teamId} and t.run_id = w."runId" and t.node = any(w.nodes) and t.item is null
      order by t.node limit ${mostNodes}) t`;
}

export interface FailedTaskRow {
  runId: string;
  id: string;
  name: string;
  statusMessage: string | null;
  /** Its programs wrote a log. */
  hasLog: boolean;
}

/** In a run with more task runs, the failed one is usually among the first. */
const maxChecked = 1_000;

/** The first failed task run of each of these runs, preferably one with a log (index task_run_run). */
export async function listFailedTasks(db: Queryable, teamId: string, runIds: readonly string[]): Promise<FailedTaskRow[]> {
  return db<FailedTaskRow[]>`
    select w.id as "runId", f.id, f.name, left(f.status_message, 500) as "statusMessage", f.executor is not null as "hasLog"
    from unnest(${[...runIds]}::uuid[]) as w(id)
    cross join lateral (
      select q.id, q.name, q.status_message, q.executor from (
        select t.id, t.name, t.status, t.status_message, t.executor, t.ended_at from task_run t
        where t.team_id = ${teamId} and t.run_id = w.id order by t.node, t.item limit ${maxChecked}) q
      where q.status in ('failed', 'timedout', 'invalid') order by q.executor is null, q.ended_at, q.id limit 1) f`;
}
