import type { Queryable } from "../database/database.ts";

/** The one row about the removal of history: when the next one is due, and how far the last one is. */
export interface RemovalRow {
  dueAt: Date;
  beganAt: Date | null;
  endedAt: Date | null;
  removed: Record<string, unknown>;
}

/** A removal that was not noted for so long is that of a process that died; another one takes over. */
const lostAfter = "5 minutes";

/**
 * Begins a removal, for all processes: when it is due and no other one is under way. An instance that has never removed anything
 * waits for a day first, so that an operator who has just upgraded can set how long history is kept.
 *
 * @returns when it began, by which it is known from then on; undefined when there is nothing to begin
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

/** Notes how far it is. @returns false when another process has taken over meanwhile: it was believed dead */
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
 * From now on the runs of that month can't be kept any more: what belongs to them is about to go, a part of it before they do.
 * Waits for those who are keeping one right now, so that a later check of what holds the month sees it.
 */
export async function closeMonth(db: Queryable, month: string): Promise<void> {
  await db`
    insert into history_removal (due_at, leaving_months) values ((select db_now()), array[${month}::text])
    on conflict (is_only) do update set leaving_months = array_append(array_remove(history_removal.leaving_months, ${month}), ${month})`;
}

/** The month is gone, or nothing of it was touched. */
export async function reopenMonth(db: Queryable, month: string): Promise<void> {
  await db`update history_removal set leaving_months = array_remove(leaving_months, ${month})`;
}

/** Is the month of that run going? Until the end of the transaction it doesn't begin to. */
export async function isRunLeaving(db: Queryable, runId: string): Promise<boolean> {
  const [row] = await db<{ leaving: boolean }[]>`
    select to_char(id_date(${runId}::uuid) at time zone 'UTC', 'YYYYMM') = any(leaving_months) as leaving from history_removal for share`;
  return row?.leaving === true;
}
