import type { Database, Queryable, Transaction } from "../database/database.ts";
import { allowLongStatements, transaction } from "../database/transaction.ts";
import { type HistoryMonth, turnOfMonth } from "./history-partitions.ts";

/** Why a month of history can't be dropped as a whole: something of it stays. These statements read a lot, and lock nothing. */

/** A run that is open or has the label keep. Only these two keep history beyond its retention. The table is named `run`. */
const isHeld = (db: Queryable) =>
  db`(run.phase not in ('completed', 'finalized') or (run.labels ? 'keep' and run.labels ->> 'keep' is distinct from 'false'))`;

/** A run that is kept, or ended less than so many days ago. */
export const stays = (db: Queryable, days: number) =>
  db`(${isHeld(db)} or run.ended_at >= (select db_now()) - make_interval(days => ${days}))`;

/** What keeps a run itself: runs of this calendar month (UTC) stay until it is over, because the monthly quota counts them. */
export const runStays = (db: Queryable, days: number) =>
  db`(${stays(db, days)} or run.id >= (select id_floor(date_trunc('month', db_now() at time zone 'UTC') at time zone 'UTC')))`;

/**
 * Does something of that month stay: a run of it, or rows of an earlier run? Reads the month's runs once, in their order on disk; of
 * earlier months only runs that stay are left.
 */
export async function isRunMonthHeld(db: Database, month: HistoryMonth, days: number): Promise<boolean> {
  const { from, to } = month;
  return look(
    db,
    (tx) => tx`
      with kept as materialized (select team_id, id from run where ${beganBefore(tx, month)} and ${runStays(tx, days)}), ${tasksOfKept(tx)}
      select exists (select from kept where id >= ${from} and id < ${to})
        or exists (select from tasks where id >= ${from} and id < ${to})
        or exists (select from tasks t join task_run_attempt a on a.team_id = t.team_id and a.task_run_id = t.id
                   where a.id >= ${from} and a.id < ${to})
        or exists (${chunksOfKept(tx, month)}) as held`,
  );
}

/**
 * Are there log lines of that month of a run that stays? Kept runs are few, and each is found by an index. Only if they keep nothing, it
 * looks for runs that ended a short time ago, which reads all runs before the end of that month.
 */
export async function isLogMonthHeld(db: Database, month: HistoryMonth, days: number): Promise<boolean> {
  const before = (tx: Queryable) => beganBefore(tx, month);
  const isHeldNow = await look(
    db,
    (tx) => tx`
      with kept as materialized (
        select team_id, id from run where phase in ('pending', 'queued') and ${before(tx)}
        union all select team_id, id from run where phase = 'running' and ${before(tx)}
        union all select team_id, id from run where labels ? 'keep' and ${before(tx)} and ${isHeld(tx)}
      ), ${tasksOfKept(tx)}
      select exists (${chunksOfKept(tx, month)}) as held`,
  );
  if (isHeldNow) return true;
  return look(
    db,
    (tx) => tx`
      with kept as materialized (select team_id, id from run where ${before(tx)} and ${stays(tx, days)}), ${tasksOfKept(tx)}
      select exists (${chunksOfKept(tx, month)}) as held`,
  );
}

/** Is there an event of that month that was not processed by all subscribers, or that still has a delivery? */
export async function isEventMonthHeld(db: Queryable, { from, to }: HistoryMonth): Promise<boolean> {
  const [row] = await db<{ held: boolean }[]>`
    select exists (select from change_event where dispatched_at is null and id >= ${from} and id < ${to})
      or exists (select from delivery where event_id >= ${from} and event_id < ${to}) as held`;
  return row!.held;
}

const beganBefore = (tx: Queryable, { endsAt }: HistoryMonth) => tx`id < id_floor(${endsAt}::timestamptz + ${turnOfMonth}::interval)`;

const tasksOfKept = (tx: Queryable) =>
  tx`tasks as materialized (select t.team_id, t.id from kept k join task_run t on t.team_id = k.team_id and t.run_id = k.id)`;

const chunksOfKept = (tx: Queryable, { from, to }: HistoryMonth) => tx`
  select from tasks t join log_chunk c on c.team_id = t.team_id and c.task_run_id = t.id where c.id >= ${from} and c.id < ${to}`;

async function look(db: Database, ask: (tx: Transaction) => PromiseLike<Iterable<unknown>>): Promise<boolean> {
  return transaction(db, async (tx) => {
    await allowLongStatements(tx);
    const [row] = (await ask(tx)) as { held: boolean }[];
    return row!.held;
  });
}
