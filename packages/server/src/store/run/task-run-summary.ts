import type { TaskRunItems } from "@millrace/contract/run/task-run.ts";
import type { Queryable } from "../database/database.ts";
import { idsWithoutValues, type SizedRow } from "../database/large-values.ts";
import { columns, type TaskRunRow } from "./task-runs.ts";

/** Reads of a whole run that stay small however many items its tasks have. */

/** Parameters and results, in bytes of JSON: of one task run, and of all together. */
const maxValueBytes = 4 * 1024;
const maxAllBytes = 64 * 1024;

/** By node of the forEach (index task_run_run). */
export async function countItems(db: Queryable, teamId: string, runId: string): Promise<Map<number, TaskRunItems>> {
  const rows = await db<{ node: number; status: string; count: number }[]>`
    select node, status, count(*)::int as count from task_run
    where team_id = ${teamId} and run_id = ${runId} and item is not null group by node, status order by node, status`;
  const counts = new Map<number, TaskRunItems>();
  for (const { node, status, count } of rows) {
    const items = counts.get(node) ?? { total: 0, statuses: {} };
    counts.set(node, { total: items.total + count, statuses: { ...items.statuses, [status]: count } });
  }
  return counts;
}

/**
 * The task runs of a run in the order of its nodes, each followed by its items. Of many items only some are returned: those that failed,
 * those with warnings, those that wait or run, then the first of the others. Large values are left out.
 */
export async function listSummarized(db: Queryable, teamId: string, runId: string, maxItems: number): Promise<TaskRunRow[]> {
  const found = await db<SizedRow[]>`
    select id, bytes from (
      select t.id, t.node, t.item, octet_length(t.params::text) + octet_length(t.results::text) as bytes, row_number() over (
        partition by t.node, t.item is null
        order by case
          when t.status in ('failed', 'timedout', 'invalid') then 0
          when t.warnings::text <> '[]' then 1
          when t.status in ('waiting', 'ready', 'running') then 2
          else 3 end, t.item) as place
      from task_run t where t.team_id = ${teamId} and t.run_id = ${runId}) s
    where item is null or place <= ${maxItems} order by node, item nulls first`;
  const large = found.filter(({ bytes }) => bytes > maxValueBytes);
  const cut = [
    ...large.map(({ id }) => id),
    ...idsWithoutValues(
      found.filter(({ bytes }) => bytes <= maxValueBytes),
      maxAllBytes,
    ),
  ];
  return db<TaskRunRow[]>`
    select ${columns(db, cut, true)} from task_run t
    where t.id = any(${found.map(({ id }) => id)}::uuid[]) and (t.team_id = ${teamId}) is true order by t.node, t.item nulls first`;
}
