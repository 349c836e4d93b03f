import { type RunSort as AnyRunSort, mostSortedHits, mostSortedRuns } from "@millrace/contract/run/run-sort.ts";
import type { Queryable } from "../../database/database.ts";
import type { HiddenWorkflows } from "../../workflow/hidden-workflows.ts";
import { hiddenFrom, listedStatus, matchesRuns, type RunFilter, withWorkflowIds } from "../run-filter.ts";
import { searchRunIds } from "./run-search-query.ts";

/**
 * Runs in another order than that of their date. No index has it: it would have to change with each change of a run, which is the path that
 * must be fast. So only the newest runs are examined: the five thousand newest that the filter with an index has, or the hits of a search.
 * The page says how far back that goes.
 */
export type RunSort = Exclude<AnyRunSort, "creationDate">;

export interface SortedRuns {
  /** Of the page. */
  ids: string[];
  /** How many runs are sorted. */
  count: number;
  /** Runs created earlier are left out; undefined: none is. */
  from: Date | undefined;
}

interface Wanted {
  teamId: string;
  filter: RunFilter;
  hidden: HiddenWorkflows;
}

interface Page {
  by: RunSort;
  order: "ASC" | "DESC";
  limit: number;
  offset: number;
}

export async function listSortedRunIds(db: Queryable, wanted: Wanted, { by, order, limit, offset }: Page): Promise<SortedRuns> {
  const direction = order === "ASC" ? db`asc` : db`desc`;
  const { among, from } = wanted.filter.search === undefined ? await newestRuns(db, wanted) : await newestHits(db, wanted);
  const [row] = await db<{ ids: string[]; count: number }[]>`
    with found as materialized (
      select r.id, ${keyOf(db, by)} as key from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
      where r.team_id = ${wanted.teamId} and ${among})
    select (select count(*)::int from found) as count,
      array(select id from found order by key ${direction} nulls last, id desc limit ${limit} offset ${offset}) as ids`;
  return { ...row!, from };
}

/** An open run has no duration, and comes last. */
function keyOf(db: Queryable, by: RunSort) {
  if (by === "status") return listedStatus(db);
  return by === "workflow" ? db`lower(w.display_name)` : db`case when r.ended_at is not null then r.ended_at - r.started_at end`;
}

/**
 * The condition for matches among the newest. Filters with an index in the order of the ids (run_status, run_workflow, run_initiator) are
 * applied first, so that rare ones are found however old they are; the others are applied to those.
 */
async function newestRuns(db: Queryable, { teamId, filter, hidden }: Wanted) {
  const { statuses, workflows, initiators, from, to } = filter;
  const narrow: RunFilter = {
    ...(statuses?.length === 1 && { statuses }),
    ...(workflows?.length === 1 && { workflows }),
    ...(initiators?.length === 1 && { initiators }),
    ...(from && { from }),
    ...(to && { to }),
  };
  const [oldest] = await db<{ id: string; createdAt: Date }[]>`
    select r.id, r.created_at as "createdAt" from run r where ${matchesRuns(db, teamId, narrow, hidden)}
    order by r.id desc offset ${mostSortedRuns} limit 1`;
  const all = matchesRuns(db, teamId, filter, hidden);
  return { among: oldest ? db`${all} and r.id > ${oldest.id}` : all, from: oldest?.createdAt };
}

async function newestHits(db: Queryable, wanted: Wanted) {
  const ids = await searchRunIds(db, wanted, mostSortedHits + 1);
  const rest = ids.length > mostSortedHits ? ids.pop() : undefined;
  const [oldest] =
    rest === undefined
      ? []
      : await db<{ createdAt: Date }[]>`
    select created_at as "createdAt" from run where team_id = ${wanted.teamId} and id = ${rest}`;
  return { among: db`r.id = any(${ids}::uuid[])`, from: oldest?.createdAt };
}

/** The newest matching runs, up to a limit. */
export async function listRunIds(db: Queryable, teamId: string, given: RunFilter, limit: number): Promise<string[]> {
  const [filter, hidden] = [await withWorkflowIds(db, teamId, given), await hiddenFrom(db, teamId, given)];
  if (filter.search !== undefined) return searchRunIds(db, { teamId, filter, hidden }, limit);
  const rows = await db<{ id: string }[]>`
    select r.id from run r where ${matchesRuns(db, teamId, filter, hidden)} order by r.id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * No index has runs by a label in the order of their ids: all of them are read for a page, and so they can be counted as well. One
 * statement for both reads them once.
 */
export async function listLabelled(
  db: Queryable,
  { teamId, filter, hidden }: Wanted,
  { order, limit, offset }: Omit<Page, "by">,
): Promise<{ ids: string[]; total: number }> {
  const [row] = await db<{ ids: string[]; total: number }[]>`
    with found as materialized (select r.id from run r where ${matchesRuns(db, teamId, filter, hidden)})
    select (select count(*)::int from found) as total,
      array(select id from found order by id ${order === "ASC" ? db`asc` : db`desc`} limit ${limit} offset ${offset}) as ids`;
  return row!;
}
