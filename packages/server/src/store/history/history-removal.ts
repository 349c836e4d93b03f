import type { Queryable } from "../database/database.ts";

/** The single row about the removal of history: when the next one is due, and the progress of the last one. */
export interface RemovalRow {
  dueAt: Date;
  beganAt: Date | null;
  endedAt: Date | null;
  removed: Record<string, unknown>;
}

/** A removal without progress for so long belongs to a dead process; another one takes over. */
const lostAfter = "5 minutes";

/**
 * Begins a removal, for all processes, if it is due and no other one is in progress. An instance that has never removed anything waits for
 * a day first, so that an operator who has just upgraded can set the retention.
 *
 * @returns when it began, which identifies it from then on; undefined if there is nothing to begin
 */
export async function beginRemoval(db: Queryable, everySeconds: number): Promise<Date | undefined> {
  await db`insert into history_removal (due_at) values ((select db_now()) + interval '1 day') on conflict do nothing`;
  const [row] = await db<{ beganAt: Date }[]>`
    update history_removal
    set begun_at = (select db_now()), noted_at = (select db_now()), ended_at = null, removed = '{}',
      due_at = (select db_now()) + make_interval(secs => ${everySeconds})
    where case when begun_at is not null and ended_at is null then noted_at < (select db_now()) - ${lostAfter}::interval
      else due_at <= (select db_now()) end
    returning begun_at as "beganAt"`;
  return row?.beganAt;
}

/** Stores its progress. @returns false if another process has taken over in the meantime, because this one was believed dead */
export async function noteRemoval(db: Queryable, beganAt: Date, removed: object, isOver: boolean): Promise<boolean> {
  const { count } = await db`
    update history_removal
    set removed = ${JSON.stringify(removed)}::json, noted_at = (select db_now()), ended_at = ${isOver ? db`(select db_now())` : null}
    where begun_at = ${beganAt} and ended_at is null`;
  return count > 0;
}

/** Undefined until a process has looked for history to remove. */
export async function findRemoval(db: Queryable): Promise<RemovalRow | undefined> {
  const [row] = await db<RemovalRow[]>`
    select due_at as "dueAt", begun_at as "beganAt", ended_at as "endedAt", removed from history_removal`;
  return row;
}

/**
 * From now on the runs of that month can't be marked to be kept any more, because their rows are about to be removed, some before the runs.
 * Waits for transactions that are marking one right now, so that a later check of the month sees it.
 */
export async function closeMonth(db: Queryable, month: string): Promise<void> {
  await db`
    insert into history_removal (due_at, leaving_months) values ((select db_now()), array[${month}::text])
    on conflict (is_only) do update set leaving_months = array_append(array_remove(history_removal.leaving_months, ${month}), ${month})`;
}

/** The month was removed, or nothing of it was changed. */
export async function reopenMonth(db: Queryable, month: string): Promise<void> {
  await db`update history_removal set leaving_months = array_remove(leaving_months, ${month})`;
}

/** Is the month of that run being removed? Until the end of the transaction its removal can't begin. */
export async function isRunLeaving(db: Queryable, runId: string): Promise<boolean> {
  const [row] = await db<{ leaving: boolean }[]>`
    select to_char(id_date(${runId}::uuid) at time zone 'UTC', 'YYYYMM') = any(leaving_months) as leaving from history_removal for share`;
  return row?.leaving === true;
}
