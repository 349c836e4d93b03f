import { nestedPrefix, tryPrefix } from "../../core/workflow/try-name.ts";
import type { Queryable } from "../database/database.ts";

/**
 * Workflows of a team that are deleted and not purged yet. What belongs to them is hidden with them. There are nearly always none, and then
 * a list that excludes their rows need not check them (index workflow_hidden).
 */
export interface HiddenWorkflows {
  ids: string[];
  /** Changes with each deletion and purge. */
  state: string;
}

export async function listHiddenWorkflows(db: Queryable, teamId: string): Promise<HiddenWorkflows> {
  const rows = await db<{ id: string; deletedAt: Date }[]>`
    select id, deleted_at as "deletedAt" from workflow where team_id = ${teamId} and deleted_at is not null order by deleted_at desc`;
  const ids = rows.map(({ id }) => id);
  return { ids, state: `${ids.length} ${ids[0] ?? ""} ${rows[0]?.deletedAt.getTime() ?? ""}` };
}

/**
 * The same including those that were created for a trial, for lists of runs. Their runs were never counted, so no total changes with them
 * (index workflow_trial, which has the same condition).
 */
export async function listHiddenWithTrials(db: Queryable, teamId: string): Promise<HiddenWorkflows> {
  const rows = await db<{ id: string; deletedAt: Date | null }[]>`
    select id, null as "deletedAt" from workflow where team_id = ${teamId} and starts_with(name, 'try~workflow~')
    union all
    select id, deleted_at as "deletedAt" from workflow
    where team_id = ${teamId} and deleted_at is not null and not starts_with(name, 'try~workflow~') order by "deletedAt" desc nulls last`;
  const deleted = rows.filter(({ deletedAt }) => deletedAt !== null);
  return { ids: rows.map(({ id }) => id), state: `${deleted.length} ${deleted[0]?.id ?? ""} ${deleted[0]?.deletedAt?.getTime() ?? ""}` };
}

/** Excludes runs of trials, where runs are counted. `r` is the run. */
export const isNoTrial = (db: Queryable) => db`
  not exists (select from workflow tried where tried.team_id = r.team_id and tried.id = r.workflow_id and starts_with(tried.name, 'try~workflow~'))`;

/** The ids of those of the given workflows of a team (names or ids) that are not hidden. */
export function workflowIds(db: Queryable, teamId: string, refs: readonly string[], ids: readonly string[]) {
  return db`
    array(select f.id from workflow f where f.team_id = ${teamId} and f.deleted_at is null and f.name = any(${refs.map((ref) => ref.toLowerCase())})
          union select f.id from workflow f where f.team_id = ${teamId} and f.deleted_at is null and f.id = any(${[...ids]}::uuid[]))`;
}

/** Excludes the workflows that were created to try a task. `w` is the workflow. */
export const isNoTry = (db: Queryable) => db`not starts_with(w.name, ${tryPrefix})`;

/** How long the outcome of a try can be viewed. */
const keptMinutes = 60;

/** Hides the workflows of tries that ended that long ago, and what was nested in them; the purge removes them like any deleted workflow. */
export async function hideOldTries(db: Queryable): Promise<void> {
  await db`
    update workflow w set deleted_at = (select db_now())
    where starts_with(w.name, ${tryPrefix}) and w.deleted_at is null and not starts_with(w.name, ${nestedPrefix})
      and w.created_at < (select db_now()) - make_interval(mins => ${keptMinutes})
      and not exists (
        select from run r where r.team_id = w.team_id and r.workflow_id = w.id
          and (r.phase in ('pending', 'queued', 'running') or r.ended_at > (select db_now()) - make_interval(mins => ${keptMinutes})))`;
  await db`
    update workflow n set deleted_at = (select db_now())
    where starts_with(n.name, ${nestedPrefix}) and n.deleted_at is null
      and not exists (select from workflow w where w.team_id = n.team_id and w.id::text = split_part(n.name, '~', 4) and w.deleted_at is null)`;
}

/** Hides what is nested in a workflow, together with it (index workflow_trial). */
export async function hideNested(db: Queryable, teamId: string, workflowId: string): Promise<void> {
  await db`
    update workflow set deleted_at = (select db_now())
    where team_id = ${teamId} and starts_with(name, 'try~workflow~') and starts_with(name, ${`${nestedPrefix}${workflowId}~`}) and deleted_at is null`;
}
