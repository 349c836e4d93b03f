import type { Queryable } from "../database/database.ts";

/** Which logs are to be moved to the log store, by which process, and whether that works: of all teams. */

export interface LogToMove {
  teamId: string;
  taskRunId: string;
  attempt: number;
}

export async function listTeamsWithLogs(db: Queryable): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select t.id from team t where exists (select from log_chunk c where c.team_id = t.id) order by t.id`;
  return rows.map(({ id }) => id);
}

/**
 * Attempts of a team with lines in the database that have been over for so long, behind a place. Each step of the recursion finds the next
 * attempt by the index log_chunk_task, without looking at all of its chunks. Attempts that are not over are examined each time.
 *
 * @returns the attempts that are over, and where to continue; undefined at the end
 */
export async function listLogsToMove(
  db: Queryable,
  teamId: string,
  hours: number,
  after: LogToMove | undefined,
  limit: number,
): Promise<{ logs: LogToMove[]; next: LogToMove | undefined }> {
  const rows = await db<(LogToMove & { isOver: boolean })[]>`
    with recursive over as (select (select db_now()) - make_interval(hours => ${hours}) as since),
    seen as (
      select ${after?.taskRunId ?? firstId}::uuid as task_run_id, ${after?.attempt ?? 0}::int as attempt, 0 as steps
      union all
      select next.task_run_id, next.attempt, seen.steps + 1 from seen cross join lateral (
        select c.task_run_id, c.attempt from log_chunk c
        where c.team_id = ${teamId} and (c.task_run_id, c.attempt) > (seen.task_run_id, seen.attempt)
          and c.task_run_id < (select id_floor(since) from over)
        order by c.task_run_id, c.attempt limit 1) as next
      where seen.steps < ${limit}::int
    )
    select ${teamId}::uuid as "teamId", s.task_run_id as "taskRunId", s.attempt,
      not exists (select from log_object o where o.team_id = ${teamId} and o.task_run_id = s.task_run_id and o.attempt = s.attempt)
      and (exists (select from task_run_attempt a where a.team_id = ${teamId} and a.task_run_id = s.task_run_id and a.attempt = s.attempt
                   and a.ended_at < (select since from over))
        or exists (select from task_run t where t.team_id = ${teamId} and t.id = s.task_run_id and t.ended_at < (select since from over)))
        as "isOver"
    from seen s where s.steps > 0 order by s.task_run_id, s.attempt`;
  const place = ({ taskRunId, attempt }: LogToMove) => ({ teamId, taskRunId, attempt });
  return { logs: rows.filter(({ isOver }) => isOver).map(place), next: rows.length < limit ? undefined : place(rows.at(-1)!) };
}

const firstId = "00000000-0000-0000-0000-000000000000";

/** A process that did not say for so long that it continues is believed dead. */
const lostAfter = "5 minutes";

/** Becomes or stays the process that moves logs. @returns false while it is another one */
export async function keepMoving(db: Queryable, mover: string): Promise<boolean> {
  const { count } = await db`
    insert into log_moving (mover, until) values (${mover}, (select db_now()) + ${lostAfter}::interval)
    on conflict (is_only) do update set mover = excluded.mover, until = excluded.until
    where log_moving.mover = excluded.mover or log_moving.until < (select db_now())`;
  return count > 0;
}

/** So that another process need not wait until it counts as dead. */
export async function endMoving(db: Queryable, mover: string): Promise<void> {
  await db`update log_moving set until = (select db_now()) where mover = ${mover}`;
}

/** @param failure undefined: it works */
export async function noteMoving(db: Queryable, mover: string, failure: string | undefined): Promise<void> {
  await db`
    update log_moving set failure = ${failure ?? null}::text,
      failing_since = case when ${failure ?? null}::text is null then null else coalesce(failing_since, (select db_now())) end
    where mover = ${mover}`;
}

export interface MovingFailure {
  since: Date;
  failure: string;
}

/** Undefined while logs are moved, or if no log store is configured. */
export async function findMovingFailure(db: Queryable): Promise<MovingFailure | undefined> {
  const [row] = await db<MovingFailure[]>`
    select failing_since as since, failure from log_moving where failing_since is not null`;
  return row;
}
