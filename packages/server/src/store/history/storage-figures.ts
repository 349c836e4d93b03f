import type { Queryable } from "../database/database.ts";

export interface StorageFiguresRow {
  kind: "runs" | "taskRuns" | "logs" | "events" | "audit" | "other";
  bytes: number;
  /** null: of tables without partitions. */
  bytesPerDay: number | null;
}

export interface DatabaseFigures {
  databaseBytes: number;
  kinds: StorageFiguresRow[];
}

/**
 * How much of the database each kind of records takes. No table is read: sizes are those of the files, and growth is the size of the
 * partitions of this month and the last one, divided by the days since the older of the two began.
 */
export async function readDatabaseFigures(db: Queryable): Promise<DatabaseFigures> {
  const rows = await db<StorageFiguresRow[]>`
    with part as (
      select coalesce(p.relname, c.relname) as name, pg_total_relation_size(c.oid) as bytes,
        case when p.oid is not null then to_date(substring(c.relname from '_([0-9]{6})$'), 'YYYYMM') end as month
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    ), today as (
      select (select db_now()) at time zone 'UTC' as time
    ), sized as (
      select k.kind, part.bytes, part.month, today.time,
        part.month between date_trunc('month', today.time) - interval '1 month' and today.time as "isRecent"
      from today, part join (values ('runs', array['run', 'run_event', 'action', 'action_vote', 'action_note']),
        ('taskRuns', array['task_run', 'task_run_attempt']), ('logs', array['log_chunk', 'log_object']),
        ('events', array['delivery', 'change_event']), ('audit', array['audit'])) as k(kind, tables) on part.name = any(k.tables)
    )
    select kind, sum(bytes)::float8 as bytes, round(sum(bytes) filter (where "isRecent")
      / greatest(1, extract(epoch from min(time) - min(month) filter (where "isRecent")) / 86400))::float8 as "bytesPerDay"
    from sized group by kind order by array_position(array['runs', 'taskRuns', 'logs', 'events', 'audit'], kind)`;
  const [whole] = await db<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
  const rest = whole!.bytes - rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return { databaseBytes: whole!.bytes, kinds: [...rows, { kind: "other", bytes: Math.max(0, rest), bytesPerDay: null }] };
}
