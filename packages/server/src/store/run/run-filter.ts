import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";
import { type HiddenWorkflows, listHiddenWithTrials, listHiddenWorkflows, workflowIds } from "../workflow/hidden-workflows.ts";

/** Filters of lists of runs. The run is named `r`. */
export interface RunFilter {
  statuses?: readonly string[];
  /** Only runs that have started and only wait, or none of them. */
  waits?: boolean;
  phases?: readonly string[];
  triggers?: readonly string[];
  /** Names or ids; `withWorkflowIds` turns them into ids. */
  workflows?: readonly string[];
  ids?: readonly string[];
  /** In the stored form (core/run/lineage.ts). */
  initiators?: readonly string[];
  labels?: Record<string, string>;
  /** Words that must all match (run-search-query.ts). */
  search?: string;
  /** Whether its failure was acknowledged. */
  acknowledged?: boolean;
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

/** A trial is found only by its ID. */
export function hiddenFrom(db: Queryable, teamId: string, { ids }: RunFilter): Promise<HiddenWorkflows> {
  return ids === undefined ? listHiddenWithTrials(db, teamId) : listHiddenWorkflows(db, teamId);
}

export function matchesRuns(db: Queryable, teamId: string, filter: RunFilter, hidden: HiddenWorkflows) {
  return db`
    r.team_id = ${teamId}
    ${hidden.ids.length > 0 ? db`and r.workflow_id <> all(${hidden.ids}::uuid[])` : db``}
    ${filter.statuses ? db`and ${inStatuses(db, filter.statuses, filter.waits)}` : db``}
    ${filter.waits === undefined ? db`` : filter.waits ? db`and ${isWaiting(db)}` : db`and not (${isWaiting(db)})`}
    ${filter.phases ? db`and ${inPhases(db, filter.phases)}` : db``}
    ${filter.triggers ? db`and r.trigger = any(${filter.triggers as string[]})` : db``}
    ${filter.ids ? db`and r.id = any(${filter.ids.filter(isId)}::uuid[])` : db``}
    ${filter.initiators ? db`and r.initiated_by ${isOneOf(db, filter.initiators)}` : db``}
    ${filter.labels ? db`and r.labels @> ${JSON.stringify(filter.labels)}::jsonb` : db``}
    ${filter.acknowledged === undefined ? db`` : isAcknowledged(db, teamId, filter.acknowledged)}
    ${filter.from ? db`and r.id >= id_floor(${filter.from}) and r.created_at >= ${filter.from}` : db``}
    ${filter.to ? db`and r.id <= id_floor(${filter.to}::timestamptz + interval '1 minute') and r.created_at < ${filter.to}` : db``}
    ${filter.workflows ? db`and r.workflow_id ${inWorkflows(db, filter.workflows)}` : db``}`;
}

/** A run that only waits is stored as running; counts show it as waiting (ADR 0098). */
const isWaiting = (db: Queryable) => db`r.status = 'running' and r.phase = 'running' and r.activity = 'none'`;

/** The status by which a run `r` is counted and sorted. */
export const listedStatus = (db: Queryable) => db`case when ${isWaiting(db)} then 'waiting' else r.status end`;

/** Few are running among many that wait: those are found by the indexes run_active and run_wanted. */
export const isAtWork = (db: Queryable) => db`r.status = 'running' and (r.activity = 'active' or r.activity = 'wanted')`;

/** Waiting ones match `running`, their stored status, and `waiting`, too. */
export function inStatuses(db: Queryable, given: readonly string[], waits?: boolean) {
  if (given.length === 1 && given[0] === "running" && waits === false) return isAtWork(db);
  if (!given.includes("waiting") || given.includes("running")) return db`r.status ${isOneOf(db, given)}`;
  const others = given.filter((status) => status !== "waiting");
  return others.length === 0 ? isWaiting(db) : db`(${isWaiting(db)} or r.status ${isOneOf(db, others)})`;
}

/** Whether few runs of a team match. */
const isAcknowledged = (db: Queryable, teamId: string, wanted: boolean) =>
  wanted
    ? db`and r.id = any(array(select a.run_id from run_acknowledgement a where a.team_id = ${teamId}))`
    : db`and not exists (select from run_acknowledgement a where a.team_id = r.team_id and a.run_id = r.id)`;

/**
 * Of one value the indexes run_status, run_initiator and run_workflow have the runs in their order. So a page of few of them, or of none,
 * need not check all runs.
 */
const isOneOf = (db: Queryable, texts: readonly string[]) => (texts.length === 1 ? db`= ${texts[0]!}` : db`= any(${[...texts]})`);

function inWorkflows(db: Queryable, ids: readonly string[]) {
  return ids.length === 1 ? db`= ${ids[0]!}` : db`= any(${[...ids]}::uuid[])`;
}

/** The workflows as ids that the planner sees, without missing ones. */
export async function withWorkflowIds(db: Queryable, teamId: string, filter: RunFilter): Promise<RunFilter> {
  if (filter.workflows === undefined) return filter;
  const [row] = await db<{ ids: string[] }[]>`
    select ${workflowIds(db, teamId, filter.workflows, filter.workflows.filter(isId))} as ids`;
  return { ...filter, workflows: row!.ids };
}

/** Written like the conditions of the partial indexes, if one has these rows. */
function inPhases(db: Queryable, phases: readonly string[]) {
  const wanted = db`r.phase = any(${phases as string[]})`;
  if (phases.every((phase) => phase === "running")) return db`r.phase = 'running'`;
  if (phases.every((phase) => phase === "finalized")) return db`r.phase = 'finalized'`;
  return phases.every((phase) => phase === "pending" || phase === "queued") ? db`r.phase in ('pending', 'queued') and ${wanted}` : wanted;
}
