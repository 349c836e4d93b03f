import type { WaitKind } from "@millrace/contract/status.ts";
import { ratedRuns, type WorkflowSort } from "@millrace/contract/workflow/workflow-list.ts";
import type { Queryable } from "../database/database.ts";
import { waitKindsOf } from "../run/runs.ts";
import type { InsightRunRow } from "../run/tallies/run-insights.ts";
import { isMatching, type WorkflowFilter, type WorkflowRow, workflowColumns } from "./workflows.ts";

/** By what a list is sorted that has no index for it: each of the workflows that match is examined, a few rows of each. */
type ComputedSort = Exclude<WorkflowSort, "creationDate">;

/**
 * Ids of runs begin with their time. The index run_workflow gives the newest of one workflow without reading the others, so a list of ten
 * thousand workflows costs as many steps of it, however many runs there are.
 */
const newestRuns = (db: Queryable, most: number) => db`
  from run r where r.team_id = w.team_id and r.workflow_id = w.id order by r.id desc limit ${most}`;

function sortKey(db: Queryable, by: ComputedSort) {
  switch (by) {
    case "name":
      return db`lower(w.display_name)`;
    case "lastRun":
      return db`(select r.id ${newestRuns(db, 1)})`;
    case "successRate":
      return db`
        (select avg(case when l.status = 'succeeded' then 1 else 0 end) from (select r.status ${newestRuns(db, ratedRuns)}) l
         where l.status in ('succeeded', 'failed', 'timedout', 'invalid'))`;
  }
}

/** One page. Workflows without runs come last in both directions; ties are ordered by name, and then by id. */
export async function listSortedWorkflows(
  db: Queryable,
  teamId: string,
  filter: WorkflowFilter,
  page: { by: ComputedSort; order: "ASC" | "DESC"; limit: number; offset: number },
): Promise<WorkflowRow[]> {
  const direction = page.order === "DESC" ? db`desc` : db`asc`;
  return db<WorkflowRow[]>`
    select ${workflowColumns(db)}
    from (
      select w.id, row_number() over (order by ${sortKey(db, page.by)} ${direction} nulls last, lower(w.display_name), w.id) as place
      from workflow w where ${isMatching(db, teamId, filter)} order by place limit ${page.limit} offset ${page.offset}) p
    join workflow w on w.team_id = ${teamId} and w.id = p.id
    order by p.place`;
}

type LatestRunRow = Omit<InsightRunRow, "workflowName"> & { waitKinds: WaitKind[] };

/** The latest runs of each of these workflows up to a limit, newest first. */
export function listLatestRuns(db: Queryable, teamId: string, workflowIds: readonly string[], most: number): Promise<LatestRunRow[]> {
  return db<LatestRunRow[]>`
    select l.id, l.created_at as "createdAt", l.started_at as "startedAt", l.ended_at as "endedAt", l.status, l."waitKinds", w.id as "workflowId"
    from (select unnest(${[...workflowIds]}::uuid[]) as id, ${teamId}::uuid as team_id) w
      cross join lateral (select r.id, r.created_at, r.started_at, r.ended_at, r.status, ${waitKindsOf(db)} ${newestRuns(db, most)}) l
    order by l.id desc`;
}
