import type { AbstractParam } from "@millrace/contract/common.ts";
import type { Phase, Status, WaitKind } from "@millrace/contract/status.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import { waitKindsOf } from "./runs.ts";

/** Which run was created from which, and which of its task runs did not run in it. */

/** The origin of a task run that did not run in its run. */
export interface TaskOrigin {
  how: "reused" | "marked";
  /** The run and the task run that executed it. */
  runId: string;
  taskRunId: string;
  /** Who marked it, why and when. */
  by?: string;
  name?: string;
  reason?: string;
  at?: string;
}

export interface RerunRow {
  runId: string;
  originId: string;
  originVersion: number;
  reused: number;
  /** By id of the task run. */
  tasks: Record<string, TaskOrigin>;
}

export async function insertRerun(tx: Transaction, teamId: string, rerun: RerunRow): Promise<void> {
  const { runId, originId, originVersion, reused, tasks } = rerun;
  await tx`
    insert into run_rerun (team_id, run_id, origin_id, origin_version, reused, tasks)
    values (${teamId}, ${runId}, ${originId}, ${originVersion}, ${reused}, ${JSON.stringify(tasks)}::json)`;
}

export async function findRerun(db: Queryable, teamId: string, runId: string): Promise<RerunRow | undefined> {
  const [row] = await db<RerunRow[]>`
    select run_id as "runId", origin_id as "originId", origin_version as "originVersion", reused, tasks from run_rerun
    where team_id = ${teamId} and run_id = ${runId}`;
  return row;
}

/** Of one task run; undefined: it ran in its run. */
export async function findTaskOrigin(db: Queryable, teamId: string, runId: string, taskRunId: string): Promise<TaskOrigin | undefined> {
  const [row] = await db<{ origin: TaskOrigin | null }[]>`
    select tasks -> ${taskRunId}::text as origin from run_rerun where team_id = ${teamId} and run_id = ${runId}`;
  return row?.origin ?? undefined;
}

export interface RerunOfRow {
  runId: string;
  version: number;
  status: Status;
  phase: Phase;
  waitKinds: WaitKind[];
  reused: number;
  initiatedBy: string | null;
  createdAt: Date;
}

/** The newest first. */
export async function listRerunsOf(
  db: Queryable,
  teamId: string,
  originId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: RerunOfRow[]; total: number }> {
  const rows = await db<RerunOfRow[]>`
    select r.id as "runId", r.workflow_version as version, r.status, r.phase, ${waitKindsOf(db)}, o.reused,
      r.initiated_by as "initiatedBy", r.created_at as "createdAt"
    from run_rerun o join run r on r.team_id = o.team_id and r.id = o.run_id
    where o.team_id = ${teamId} and o.origin_id = ${originId} order by o.run_id desc limit ${limit} offset ${offset}`;
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from run_rerun where team_id = ${teamId} and origin_id = ${originId}`;
  return { rows, total: count!.total };
}

/** Of many runs: the declarations of the versions that they could be rerun with, and which of their own parameters contain a secret. */
export async function findParamsOfRuns(
  db: Queryable,
  teamId: string,
  { runIds, names, mask }: { runIds: readonly string[]; names: readonly string[]; mask: string },
): Promise<{ declared: AbstractParam[]; masked: string[] }> {
  const [row] = await db<{ declared: AbstractParam[]; masked: string[] }[]>`
    with runs as materialized (
      select workflow_id, workflow_version_id, params from run where id = any(${[...runIds]}::uuid[]) and (team_id = ${teamId}) is true
    ), versions as (
      select workflow_version_id as id from runs
      union
      select v.id from workflow w join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.version = w.latest_version
      where w.team_id = ${teamId} and w.id in (select workflow_id from runs)
    )
    select
      (select coalesce(json_agg(p.param), '[]') from workflow_version v, json_array_elements(coalesce(v.document -> 'params', '[]')) as p(param)
       where v.team_id = ${teamId} and v.id in (select id from versions) and p.param ->> 'name' = any(${[...names]}::text[])) as declared,
      array(select distinct p.param ->> 'name' from runs, json_array_elements(runs.params) as p(param)
       where p.param ->> 'name' = any(${[...names]}::text[]) and strpos(p.param ->> 'value', ${mask}) > 0) as masked`;
  return row!;
}

/** Parameters that a version of a workflow declares, as stored. */
export async function listDeclaredParams(db: Queryable, teamId: string, workflowVersionId: string): Promise<AbstractParam[]> {
  const [row] = await db<{ params: AbstractParam[] | null }[]>`
    select document -> 'params' as params from workflow_version where team_id = ${teamId} and id = ${workflowVersionId}`;
  return row?.params ?? [];
}
