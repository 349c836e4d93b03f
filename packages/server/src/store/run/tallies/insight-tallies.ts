import { offsetOfRunning, packedStatuses } from "../../../core/insight/insight-runs.ts";
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { transaction } from "../../database/transaction.ts";
import { isNoTrial } from "../../workflow/hidden-workflows.ts";
import { listedStatus } from "../run-filter.ts";

/**
 * Insights would read all runs of a range: a hundred thousand wide rows per response. So ended runs are also stored in a packed form, some
 * thousand in a row of insight_tally: those of a team that ended in a time span. `readPackedRuns` reads these rows, and the runs of the
 * gaps between and after them, in one statement, so nothing is counted twice or left out.
 *
 * This is exact. An ended run keeps its status, its times and its workflow. Its end is a time of the database's clock that its transaction
 * has read, and a span is packed only `settledMinutes` later, when that transaction has long ended. Runs are removed by `purgeRuns` and
 * with the partition of a month: both remove the affected spans in the same transaction, and the gap is read from the remaining runs until
 * it is packed again. A span is one row that one statement writes, so a process may die at any moment.
 */

const settledMinutes = 5;

export interface TallySizes {
  /** Runs of one span: few enough to be read again within milliseconds when one of them is removed. */
  most: number;
  /** Fewer later runs are not packed: reading so many costs little. */
  enough: number;
  /** After a day fewer are packed as well, since there may be many teams. */
  enoughOld: number;
}

const usualSizes: TallySizes = { most: 5000, enough: 1000, enoughOld: 100 };

/** A time span, bounded by ends of runs or unbounded. */
interface Gap {
  teamId: string;
  /** As texts, because they may be infinite. */
  beginsAt: string;
  endsAt: string;
}

/** Packs new runs of all teams, and those that were not packed yet. @returns how many rows were inserted */
export async function updateInsightTallies(sql: Database, signal?: AbortSignal, sizes = usualSizes): Promise<number> {
  let made = 0;
  await removeReachedTallies(sql);
  for (const teamId of await listTeamsToPack(sql, sizes)) {
    while (signal?.aborted !== true && (await transaction(sql, (tx) => packOnce(tx, teamId, sizes)))) made++;
  }
  return made;
}

/**
 * If the clock of the database went back, runs may end within spans that are packed already: those spans are removed. This is done more
 * often than every `settledMinutes`.
 */
async function removeReachedTallies(db: Queryable): Promise<void> {
  await db`delete from insight_tally where ends_at > (select db_now()) - make_interval(mins => ${settledMinutes})`;
}

/** The index run_ended tells whether there are so many. */
async function listTeamsToPack(db: Queryable, sizes: TallySizes): Promise<string[]> {
  const rows = await db<{ teamId: string }[]>`
    select distinct team_id as "teamId" from (${gapsToPack(db, undefined, sizes)}) as gap`;
  return rows.map(({ teamId }) => teamId);
}

/** Gaps between two spans, whatever is in them, and the time since the last span if enough runs have ended in it. */
const gapsToPack = (db: Queryable, teamId: string | undefined, { enough, enoughOld }: TallySizes) => db`
  select g.team_id, g.begins_at, g.ends_at from (${gapsOf(db, teamId)}) as g
    cross join (select (select db_now()) - make_interval(mins => ${settledMinutes}) as settled_at) as moment
  where g.begins_at < settled_at and (g.ends_at < 'infinity'
    or exists (${endedIn(db, 0)} offset ${enough - 1}::int limit 1)
    or exists (${endedIn(db, 1)} offset ${enoughOld - 1}::int limit 1))`;

const endedIn = (db: Queryable, daysAgo: number) => db`
  select from run r where r.team_id = g.team_id and r.ended_at >= g.begins_at and r.ended_at < settled_at - make_interval(days => ${daysAgo})`;

/** Time spans without a row, of existing teams. @param teamId undefined: of all teams */
export const gapsOf = (db: Queryable, teamId: string | undefined) => db`
  select team_id, begins_at, ends_at from (
    select k.team_id, k.ends_at as begins_at, lead(k.begins_at, 1, 'infinity') over (partition by k.team_id order by k.begins_at) as ends_at
    from insight_tally k ${teamId === undefined ? db`` : db`where k.team_id = ${teamId}`}
    union all
    select t.id, '-infinity', coalesce((select min(k.begins_at) from insight_tally k where k.team_id = t.id), 'infinity')
    from team t ${teamId === undefined ? db`` : db`where t.id = ${teamId}`}) as spans
  where begins_at < ends_at`;

/**
 * Packs runs of the first gap of a team. A removal of runs takes the lock shared (`removeInsightTallies`), so none of these is removed
 * meanwhile; if another process packs, or a removal is in progress, it does nothing.
 * @returns whether there may be more to do
 */
async function packOnce(tx: Transaction, teamId: string, sizes: TallySizes): Promise<boolean> {
  const [lock] = await tx<{ isOurs: boolean }[]>`select pg_try_advisory_xact_lock(${lockKey(tx, teamId)}) as "isOurs"`;
  if (!lock!.isOurs) return false;
  const [gap] = await tx<Gap[]>`
    select team_id as "teamId", begins_at::text as "beginsAt", ends_at::text as "endsAt" from (${gapsToPack(tx, teamId, sizes)}) as gap
    order by begins_at limit 1`;
  if (gap === undefined) return false;
  await packSpan(tx, gap, await findEndOfSpan(tx, gap, sizes));
  return true;
}

const lockKey = (db: Queryable, teamId: string) => db`hashtextextended('millrace.insight-tally ' || ${teamId}::text, 0)`;

/** Where so many runs of the gap have ended. Those that ended in the same millisecond stay together, however many they are. */
async function findEndOfSpan(tx: Transaction, { teamId, beginsAt, endsAt }: Gap, { most }: TallySizes): Promise<string> {
  const ended = tx`
    select r.ended_at from run r where r.team_id = ${teamId} and r.ended_at >= ${beginsAt}::timestamptz and r.ended_at < ${endsAt}::timestamptz
    order by r.ended_at`;
  const [row] = await tx<{ endsAt: string }[]>`
    select least(
      ${endsAt}::timestamptz, (select db_now()) - make_interval(mins => ${settledMinutes}),
      (select greatest(next.ended_at, first.ended_at + interval '1 millisecond')
       from (${ended} offset ${most}::int limit 1) as next, (${ended} limit 1) as first))::text as "endsAt"`;
  return row!.endsAt;
}

async function packSpan(tx: Transaction, { teamId, beginsAt }: Gap, endsAt: string): Promise<void> {
  await tx`
    insert into insight_tally (team_id, begins_at, ends_at, runs, oldest_at, newest_at, first_id, last_id, workflow_ids, data)
    select ${teamId}, ${beginsAt}::timestamptz, ${endsAt}::timestamptz, count(*)::int,
      coalesce(min(r.created_at), 'infinity'), coalesce(max(r.created_at), '-infinity'),
      coalesce((array_agg(r.id order by r.id))[1], ${lastOfAllIds}), coalesce((array_agg(r.id order by r.id desc))[1], ${firstOfAllIds}),
      ${packedColumns(tx)}
    from (
      select r.*, ${placeOfWorkflow(tx)} from run r
      where r.team_id = ${teamId} and r.ended_at >= ${beginsAt}::timestamptz and r.ended_at < ${endsAt}::timestamptz
        and ${isNoTrial(tx)}) as r`;
}

/** For a span without runs, so that no range of ids matches it. */
const firstOfAllIds = "00000000-0000-0000-0000-000000000000";
const lastOfAllIds = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Aggregates of runs `r` of one team: their workflows, and what core/insight/insight-runs.ts reads. */
export const packedColumns = (db: Queryable) => db`
  coalesce(array_agg(distinct r.workflow_id), '{}'),
  coalesce(string_agg(
    float8send(round(date_part('epoch', r.created_at) * 1000))
    || float8send(coalesce(round(date_part('epoch', r.ended_at - r.started_at) * 1000), 'NaN'))
    || float8send(coalesce(round(date_part('epoch', r.started_at - r.created_at) * 1000), 'NaN'))
    || int4send(r.workflow_place)
    || int2send((array_position(${[...packedStatuses]}::text[], ${listedStatus(db)}) - 1
      + case when r.phase = 'running' and r.activity <> 'none' then ${offsetOfRunning}::int else 0 end)::int2),
    ''::bytea), ''::bytea)`;

/** Index among the distinct workflows of the team's runs in the order of `array_agg(distinct …)`, from 0. */
export const placeOfWorkflow = (db: Queryable) =>
  db`(dense_rank() over (partition by r.team_id order by r.workflow_id) - 1)::int as workflow_place`;

/**
 * Before these runs are removed, in a statement of its own: removes the spans that contain them. Until the end of the transaction no new
 * one is created.
 */
export async function removeInsightTallies(tx: Queryable, teamId: string, runIds: readonly string[]): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${lockKey(tx, teamId)})`;
  await tx`
    delete from insight_tally k where k.team_id = ${teamId} and exists (
      select from run r where r.team_id = ${teamId} and r.id = any(${[...runIds]}::uuid[]) and r.ended_at >= k.begins_at and r.ended_at < k.ends_at)`;
}

/** With the partitions of a month, which nobody can read meanwhile: spans with runs of these ids, of all teams. */
export async function removeTalliesOfMonth(tx: Queryable, { from, to }: { from: string; to: string }): Promise<void> {
  await tx`delete from insight_tally where first_id < ${to} and last_id >= ${from}`;
}
