import type { Queryable, Transaction } from "../../database/database.ts";

/**
 * The index of the search over runs (`run_search`). Changes of runs note the run in `run_search_due`, in their own transaction. One process
 * at a time takes these notes, reads the current runs, and writes their index rows in the same transaction. If it dies, the notes are still
 * there.
 */

export interface NotedRun {
  teamId: string;
  id: string;
}

/** Whether there is work that is worth a transaction: an idle service checks this every few seconds. */
export async function hasRunsToIndex(db: Queryable): Promise<boolean> {
  const [row] = await db<{ has: boolean }[]>`select exists (select from run_search_due) or exists (select from run_search_past) as has`;
  return row?.has ?? false;
}

/**
 * Until the end of the transaction no other process writes the index, and no runs are removed. Its commit waits for no disk: if the machine
 * fails before it is written, the notes are there again, and so is all that has to be done.
 *
 * @returns false if another one does
 */
export async function tryIndexing(tx: Transaction): Promise<boolean> {
  const [row] = await tx<{ isFree: boolean }[]>`
    select pg_try_advisory_xact_lock(${lockKey(tx)}) as "isFree", set_config('synchronous_commit', 'off', true)`;
  return row!.isFree;
}

const lockKey = (db: Queryable) => db`hashtext('millrace.run-search')`;

interface TakenNotes {
  /** Each of them once. */
  runs: NotedRun[];
  taken: number;
  /** Age of the first note. */
  lateMs: number;
}

/**
 * The oldest notes, if they have that age: a run that ends right after its start is read only once. They are found by the index
 * run_search_due_noted: places in the table that vacuum has freed are used again, so the first ones in the table may be the newest.
 */
export async function takeNotes(tx: Transaction, limit: number, minAgeMs: number): Promise<TakenNotes> {
  const rows = await tx<(NotedRun & { ageMs: number })[]>`
    delete from run_search_due where ctid = any(array(
      select ctid from run_search_due where noted_at <= (select db_now()) - make_interval(secs => ${minAgeMs / 1000})
      order by noted_at limit ${limit}))
    returning team_id as "teamId", run_id as id, extract(epoch from db_now() - noted_at)::float8 * 1000 as "ageMs"`;
  const runs = new Map(rows.map((row) => [row.id, { teamId: row.teamId, id: row.id }]));
  const lateMs = rows.reduce((most, { ageMs }) => Math.max(most, ageMs), 0);
  return { runs: [...runs.values()], taken: rows.length, lateMs };
}

/** The newest runs that are older than the index and not in it. Noted runs are left to their notes. */
export async function listOldRuns(tx: Transaction, limit: number): Promise<NotedRun[]> {
  return tx<NotedRun[]>`
    select r.team_id as "teamId", r.id from run r, run_search_past p where r.id < p.before_id order by r.id desc limit ${limit}`;
}

/** @param beforeId null: all are indexed */
export async function noteOldIndexed(tx: Transaction, beforeId: string | null): Promise<void> {
  if (beforeId === null) await tx`delete from run_search_past`;
  else await tx`update run_search_past set before_id = ${beforeId}`;
}

/** If there are runs and no index, as after restoring a backup of an older version: all runs count as old ones from then on. */
export async function noteMissingIndex(db: Queryable): Promise<void> {
  await db`
    insert into run_search_past (before_id) select 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    where exists (select from run) and not exists (select from run_search) on conflict do nothing`;
}

/** The searchable content of a run. */
export interface SearchedRun extends NotedRun {
  status: string;
  trigger: string;
  workflowId: string;
  initiatedBy: string | null;
  /** Its current name; null for a run that another run started. */
  initiatorName: string | null;
  labels: Record<string, string>;
  /** Parameters, then errors, then results: a line for each value, cut. */
  texts: string;
}

/** How many values of a list, and task runs of a run, are read. */
const mostValues = 100;
const mostTasks = 200;

/**
 * The current runs. Secrets are masked in the stored values. Of each value, each task and each run only so many characters are read, so the
 * memory for a batch is bounded.
 */
export async function readSearchedRuns(
  tx: Transaction,
  runs: readonly NotedRun[],
  { perValue, perRun }: { perValue: number; perRun: number },
): Promise<SearchedRun[]> {
  // Most lists are empty, and taking one apart costs more than finding that out.
  const values = (list: ReturnType<typeof lockKey>) => tx`
    case when json_array_length(${list}) > 0 then (select left(string_agg(left(v.text, ${perValue}), chr(10)), ${perRun}) from (
      select e.value ->> 'value' as text from json_array_elements(${list}) e limit ${mostValues}) v) end`;
  const found = await tx<Omit<SearchedRun, "initiatorName">[]>`
    select r.team_id as "teamId", r.id, r.status, r.trigger, r.workflow_id as "workflowId", r.initiated_by as "initiatedBy", r.labels,
      left(concat_ws(chr(10), ${values(tx`r.params`)}, r.reason, left(r.status_message, ${perValue}), tasks.errors,
        ${values(tx`r.results`)}, tasks.results), ${perRun}) as texts
    from unnest(${runs.map(({ teamId }) => teamId)}::uuid[], ${runs.map(({ id }) => id)}::uuid[]) as n(team_id, id)
    join run r on r.team_id = n.team_id and r.id = n.id
    cross join lateral (
      select string_agg(concat_ws(' ', t.name, t.reason, left(t.status_message, ${perValue})), chr(10))
          filter (where t.status in ('failed', 'invalid', 'timedout')) as errors,
        string_agg(${values(tx`t.results`)}, chr(10)) as results
      from (select name, status, reason, status_message, results from task_run
            where team_id = r.team_id and run_id = r.id order by node, item limit ${mostTasks}) t) tasks`;
  const names = await findInitiatorNames(tx, found);
  return found.map((run) => ({ ...run, initiatorName: names.get(initiatorOf(run)) ?? null }));
}

type Started = Pick<SearchedRun, "teamId" | "initiatedBy">;

const initiatorOf = ({ teamId, initiatedBy }: Started) => `${teamId} ${initiatedBy}`;

/** Many runs have the same one. */
async function findInitiatorNames(tx: Transaction, runs: readonly Started[]): Promise<Map<string, string | null>> {
  const initiators = [...new Map(runs.map((run) => [initiatorOf(run), run])).values()].filter(
    ({ initiatedBy }) => initiatedBy !== null && !initiatedBy.startsWith("run:"),
  );
  if (initiators.length === 0) return new Map();
  const rows = await tx<(Started & { name: string | null })[]>`
    select i.team_id as "teamId", i.initiated_by as "initiatedBy", initiator_name(i.team_id, i.initiated_by) as name
    from unnest(${initiators.map(({ teamId }) => teamId)}::uuid[], ${initiators.map(({ initiatedBy }) => initiatedBy!)}::text[])
      as i(team_id, initiated_by)`;
  return new Map(rows.map((row) => [initiatorOf(row), row.name]));
}

export interface SearchRow extends NotedRun {
  /** A `tsvector`. */
  words: string;
}

export async function writeSearchRows(tx: Transaction, rows: readonly SearchRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into run_search (team_id, id, words)
    select n.team_id, n.id, n.words::tsvector from unnest(${rows.map(({ teamId }) => teamId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ words }) => words)}::text[]) as n(team_id, id, words)
    on conflict (team_id, id) do update set words = excluded.words where run_search.words is distinct from excluded.words`;
}

/** Before these runs are removed: no process that has read them can write an index row after this. */
export async function removeSearchRows(tx: Queryable, teamId: string, runIds: readonly string[]): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${lockKey(tx)})`;
  await tx`delete from run_search where team_id = ${teamId} and id = any(${[...runIds]}::uuid[])`;
}

export interface SearchState {
  /** Time of the first run that waits to be indexed; null: none does. */
  waitsSince: Date | null;
  /** Runs from this time on are indexed; null: all are. */
  pastFrom: Date | null;
}

export async function findSearchState(db: Queryable): Promise<SearchState> {
  const [row] = await db<SearchState[]>`
    select (select min(noted_at) from run_search_due) as "waitsSince",
      (select id_date(before_id) from run_search_past where before_id < 'ffffffff-ffff-ffff-ffff-ffffffffffff'
       union all select db_now() from run_search_past where before_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff') as "pastFrom"`;
  return row!;
}
