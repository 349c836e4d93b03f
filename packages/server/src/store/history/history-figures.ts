import type { Queryable } from "../database/database.ts";

export interface HistoryFiguresRow {
  kind: "runs" | "logs" | "deliveries" | "audit";
  rows: number;
  bytes: number;
  oldestAt: Date | null;
}

/**
 * The amount of history of all teams. Numbers of rows are the database's estimates, which are accurate enough and cost nothing; the oldest
 * row is that of the smallest id, or of the first end if ids have no index of their own.
 */
export async function listHistoryFigures(db: Queryable): Promise<HistoryFiguresRow[]> {
  return db<HistoryFiguresRow[]>`
    with part as (
      select coalesce(p.relname, c.relname) as name, c.oid, coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0)) as rows
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    ), size as (
      select k.kind, sum(case when name = k.main then rows else 0 end)::float8 as rows, coalesce(sum(pg_total_relation_size(oid)), 0)::float8 as bytes
      from part join (values ('runs', 'run', array['run', 'task_run', 'task_run_attempt', 'run_event', 'action', 'action_vote', 'action_note']),
        ('logs', 'log_chunk', array['log_chunk', 'log_object']), ('deliveries', 'delivery', array['delivery', 'change_event']),
        ('audit', 'audit', array['audit'])) as k(kind, main, tables) on part.name = any(k.tables)
      group by k.kind
    )
    select kind, rows, bytes, case kind
        when 'runs' then (select id_date(id) from run order by id limit 1)
        when 'logs' then least((select id_date(task_run_id) from log_object order by task_run_id limit 1),
          (select min(id_date(first.id)) from team t cross join lateral (
            select id from log_chunk c where c.team_id = t.id order by id limit 1) as first))
        when 'deliveries' then (select least(
          (select min(ended_at) from delivery where status = 'delivered'), (select min(ended_at) from delivery where status = 'dead')))
        else (select id_date(id) from audit order by id limit 1) end as "oldestAt"
    from size order by array_position(array['runs', 'logs', 'deliveries', 'audit'], kind)`;
}
