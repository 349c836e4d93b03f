import { quote } from "../database/backup/backup.ts";
import type { Database, Queryable } from "../database/database.ts";
import { sqlState } from "../database/database-error.ts";
import { transaction } from "../database/transaction.ts";
import { removeTalliesOfMonth } from "../run/tallies/insight-tallies.ts";
import { forgetTaskRunTallies } from "../run/tallies/task-run-tallies.ts";

/**
 * The partitions of history, one per calendar month (UTC) of the ids: see docs/adr/0013-history-partitioned-by-id.md. An expired month is
 * removed by dropping its partition, which costs nothing. If something of a partition stays, it is emptied in batches instead
 * (history-rows.ts), and dropped once it is empty.
 */

/** One month, of the tables that have a partition for it. */
export interface HistoryMonth {
  /** `202601` */
  month: string;
  tables: string[];
  /** The ids of that month: from the first one to before the last one. */
  from: string;
  to: string;
  beginsAt: Date;
  endsAt: Date;
}

/**
 * Ids are made before their row is written, and the clock of the database may step back (a failover): near the turn of a month a
 * run and what belongs to it may be in two partitions although all was made in one moment. So near the turn it is examined more
 * closely.
 */
export const turnOfMonth = "1 hour";

/** Months that ended so many days ago, oldest first. */
export async function listOldMonths(db: Queryable, tables: readonly string[], days: number): Promise<HistoryMonth[]> {
  return db<HistoryMonth[]>`
    select right(c.relname, 6) as month, array_agg(p.relname::text) as tables,
      id_floor(min(begins) at time zone 'UTC') as "from", id_floor(min(ends) at time zone 'UTC') as "to",
      min(begins) at time zone 'UTC' as "beginsAt", min(ends) at time zone 'UTC' as "endsAt"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent,
      lateral (select to_date(right(c.relname, 6), 'YYYYMM')::timestamp as begins) as month,
      lateral (select begins + interval '1 month' as ends) as next
    where c.relnamespace = current_schema()::regnamespace and p.relname = any(${[...tables]}) and c.relname ~ '_[0-9]{6}$'
      and ends at time zone 'UTC' <= (select db_now()) - make_interval(days => ${days})
    group by 1 order by 1`;
}

export async function isPartitionEmpty(db: Queryable, table: string, { month }: HistoryMonth): Promise<boolean> {
  const rows = await db.unsafe(`select from ${quote(`${table}_${month}`)} limit 1`);
  return rows.length === 0;
}

/** The limit for each lock. Other requests queue behind it, so it delays them for a fraction of a second at most. */
const lockTimeout = "50ms";

/**
 * Drops the partitions of a month together: all or none. That needs exclusive locks on the tables for a moment, in the order in which
 * statements use them.
 *
 * @returns false if others used them all that time
 */
export async function dropPartitions(db: Database, tables: readonly string[], { month, from, to }: HistoryMonth): Promise<boolean> {
  const parents = tables.map((table) => `only ${quote(table)}`).join(", ");
  const partitions = tables.map((table) => quote(`${table}_${month}`)).join(", ");
  try {
    await transaction(db, async (tx) => {
      await tx.unsafe(`set local lock_timeout = '${lockTimeout}'`);
      await tx.unsafe(`lock table ${parents} in access exclusive mode`);
      await tx.unsafe(`drop table if exists ${partitions}`);
      if (tables.includes("run")) await removeTalliesOfMonth(tx, { from, to });
      if (tables.includes("task_run")) await forgetTaskRunTallies(tx);
    });
    return true;
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return false;
    throw error;
  }
}

const lockNotAvailable = "55P03";
