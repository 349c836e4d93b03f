import { isFinal, type Status } from "@millrace/contract/status.ts";
import { idPrefix, type SearchMarks, searchedTexts, searchQuery } from "../../../core/run/lists/search-words.ts";
import type { Queryable } from "../../database/database.ts";
import { escapeLike } from "../../database/name-search.ts";
import type { HiddenWorkflows } from "../../workflow/hidden-workflows.ts";
import { listedStatus, matchesRuns, type RunFilter } from "../run-filter.ts";

/**
 * Runs of a team by their words. The index `run_search_words` says in no order which runs have them, and only after it has collected all of
 * them, so its work grows with the matches. It is used for words that few runs have: up to `mostCounted` of its runs are compared with the
 * rest of the filter, counted and sorted.
 *
 * Words of a fifth of the runs, or more, are looked for in the runs in the order of the list, until there are too many to be counted. If few
 * runs have the rest of the filter, these are compared with the words.
 *
 * When there are more than are counted, the page is taken from the runs in the order of the list: where so many match, it is full soon.
 */

export const mostCounted = 10_000;
/** Runs that are examined in the order of the list, before all that match are sorted. */
const mostWalked = 10_000;
/** The runs, the first ones of the list, that tell whether many have the words. */
const mostProbed = 400;
/** The share of them that does. For fewer, the index has less to collect than there would be to examine. */
const leastCommon = 0.2;

export interface SearchedPage {
  ids: string[];
  total: number;
  /** There are more than the total says. */
  isMinimum: boolean;
}

interface Page {
  order: "ASC" | "DESC";
  limit: number;
  offset: number;
}

export interface RunSearch {
  teamId: string;
  filter: RunFilter;
  hidden: HiddenWorkflows;
}

/** @param filter with workflows as ids (`withWorkflowIds`) */
export async function searchRuns(db: Queryable, search: RunSearch, page: Page): Promise<SearchedPage> {
  const found = await findWords(db, search);
  if (found === undefined) return { ids: [], total: 0, isMinimum: false };
  const narrow = await searchNarrow(db, search, found);
  if (narrow !== undefined) return pageOf(narrow.map(({ id }) => id).sort(), page);
  const isWhole = found.prefix === undefined && isAllMarks(search);
  const common = await listCommon(db, search, found, page);
  if (common !== undefined) {
    const ids = isWhole && page.offset + page.limit <= mostCounted ? common.ids : await listMany(db, search, found, page);
    return { ids, total: mostCounted, isMinimum: true };
  }
  const order = page.order === "ASC" ? db`id asc` : db`id desc`;
  const [row] = await db<{ ids: string[]; total: number; found: number }[]>`
    with ${candidates(db, search, found)}, counted as materialized (select count(*)::int as count from found), hits as materialized (
      select h.id from (${isWhole ? db`select f.id from found f where f.team_id = ${search.teamId}` : hits(db, search)}) h
      where (select count from counted) <= ${mostCounted})
    select (select count from counted) as found, (select count(*)::int from hits) as total,
      array(select id from hits order by ${order} limit ${page.limit} offset ${page.offset}) as ids`;
  if (row!.found <= mostCounted) return { ids: row!.ids, total: row!.total, isMinimum: false };
  return { ids: await listMany(db, search, found, page), total: mostCounted, isMinimum: true };
}

/** @param ids all of them, ascending */
function pageOf(ids: readonly string[], { order, limit, offset }: Page): SearchedPage {
  const sorted = order === "ASC" ? ids : [...ids].reverse();
  return { ids: sorted.slice(offset, offset + limit), total: ids.length, isMinimum: false };
}

/** The newest matching runs, up to a limit. */
export async function searchRunIds(db: Queryable, search: RunSearch, limit: number): Promise<string[]> {
  return (await searchRuns(db, search, { order: "DESC", limit, offset: 0 })).ids;
}

/** The total of those that are counted: exact, unless there are more. */
export async function countSearched(db: Queryable, search: RunSearch): Promise<Map<Status, number>> {
  const found = await findWords(db, search);
  if (found === undefined) return new Map();
  const narrow = await searchNarrow(db, search, found);
  if (narrow !== undefined) return tally(narrow);
  const common = await listCommon(db, search, found, { order: "DESC", limit: 0, offset: 0 });
  const rows = await db<{ status: Status; count: number }[]>`
    with ${common?.found ?? candidates(db, search, found)}
    select h.status, count(*)::int as count from (${hits(db, search)}) h group by h.status`;
  return new Map(rows.map(({ status, count }) => [status, count]));
}

function tally(runs: readonly StatusOfRun[]): Map<Status, number> {
  const counts = new Map<Status, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

interface StatusOfRun {
  id: string;
  status: Status;
}

/**
 * All matches, if the filter has a condition that few runs have, and that an index of the runs knows: a status before the end, an
 * acknowledgement, ids, labels. Undefined: it has none, or too many runs have it.
 */
async function searchNarrow(db: Queryable, search: RunSearch, { query, prefix }: Words): Promise<StatusOfRun[] | undefined> {
  const { teamId, filter, hidden } = search;
  const { statuses, waits, phases, acknowledged, ids, labels } = filter;
  const narrow: RunFilter = {
    ...(statuses?.every((status) => !isFinal(status as Status)) && { statuses, ...(waits !== undefined && { waits }) }),
    ...(phases?.includes("completed") === false && { phases }),
    ...(acknowledged === true && { acknowledged }),
    ...(ids && { ids }),
    ...(labels && { labels }),
  };
  if (Object.keys(narrow).length === 0) return undefined;
  const some = await db<{ id: string }[]>`
    select r.id from run r where ${matchesRuns(db, teamId, narrow, hidden)} limit ${mostCounted + 1}`;
  if (some.length > mostCounted) return undefined;
  return db<StatusOfRun[]>`
    select r.id, ${listedStatus(db)} as status from run r left join run_search s on s.team_id = r.team_id and s.id = r.id
    where r.id = any(${some.map(({ id }) => id)}::uuid[]) and ${matchesRuns(db, teamId, filter, hidden)}
      and (s.words @@ ${query}::tsquery ${prefix ? db`or (r.id >= ${prefix.first} and r.id <= ${prefix.last})` : db``})`;
}

/**
 * A page of the first runs with these words, in the order of the list, and `found`: all of them that are counted. Undefined: not enough runs
 * have them, and the index knows all of these with less work.
 */
async function listCommon(db: Queryable, search: RunSearch, { query }: Words, { order, limit, offset }: Page) {
  const [probe] = await db<{ count: number }[]>`
    select count(*)::int as count from (${walk(db, search, order, mostProbed)}) s where s.words @@ ${query}::tsquery`;
  const share = probe!.count / mostProbed;
  if (share < leastCommon) return undefined;
  // As `candidates`, but in the order of the list.
  const found = db`found as materialized (
    select ${search.teamId}::uuid as team_id, s.id from (${walk(db, search, order, Math.ceil((mostCounted / share) * spareShare))}) s
    where s.words @@ ${query}::tsquery limit ${mostCounted + 1})`;
  const [row] = await db<{ count: number; ids: string[] }[]>`
    with ${found}
    select (select count(*)::int from found) as count,
      array(select id from found order by id ${order === "ASC" ? db`asc` : db`desc`} limit ${limit} offset ${offset}) as ids`;
  return row!.count > mostCounted ? { ids: row!.ids, found } : undefined;
}

/** In that order by the key of the table. It ends as soon as the statement around it has enough. */
const walk = (db: Queryable, { teamId, filter }: RunSearch, order: Page["order"], limit: number) => db`
  select s.id, s.words from run_search s where s.team_id = ${teamId} ${inTime(db, filter)}
  order by s.id ${order === "ASC" ? db`asc` : db`desc`} limit ${limit}`;

interface Words {
  query: string;
  prefix: { first: string; last: string } | undefined;
}

/** Undefined: no run can match. */
async function findWords(db: Queryable, { teamId, filter, hidden }: RunSearch): Promise<Words | undefined> {
  const texts = searchedTexts(filter.search ?? "");
  if (texts.length === 0) return undefined;
  const marks: SearchMarks = {
    teamIds: [teamId],
    ...(filter.workflows && { workflowIds: filter.workflows }),
    ...(filter.triggers && { triggers: filter.triggers }),
    ...(filter.initiators && { initiators: filter.initiators }),
    // The index knows the end of a run after some seconds, and from then on it doesn't change.
    ...(filter.statuses?.every((status) => isFinal(status as Status)) && { statuses: filter.statuses }),
  };
  if (Object.values(marks).some((values) => values.length === 0)) return undefined;
  await planForValues(db);
  const query = searchQuery(texts, await findNamed(db, [teamId], texts), marks, hidden.ids.slice(0, mostLeftOut));
  return { query, prefix: texts.length === 1 ? idPrefix(texts[0]!) : undefined };
}

/**
 * Until the end of the transaction, each statement is planned for its values. Whether a word is in one run or in all of them decides what is
 * read first. PostgreSQL would keep one plan for all words from the sixth search of a connection on, which took ten times as long for some.
 */
export async function planForValues(db: Queryable): Promise<void> {
  await db`select set_config('plan_cache_mode', 'force_custom_plan', true)`;
}

/** How many hidden workflows the index can exclude; runs of further ones are excluded one by one. */
const mostLeftOut = 100;

/** Names are searched in the workflows: one may be renamed, and has many runs. */
const mostNamed = 50;

/** @param teams undefined: all */
export async function findNamed(
  db: Queryable,
  teams: readonly string[] | undefined,
  texts: readonly string[],
): Promise<Map<string, string[]>> {
  const patterns = texts.map((text) => `%${escapeLike(text)}%`);
  const rows = await db<{ text: string; ids: string[] }[]>`
    select n.text, array(
      select w.id from workflow w
      where w.deleted_at is null ${teams === undefined ? db`` : db`and w.team_id = any(${[...teams]}::uuid[])`}
        and (w.name ilike n.pattern or w.display_name ilike n.pattern)
      limit ${mostNamed}) as ids
    from unnest(${[...texts]}::text[], ${patterns}::text[]) as n(text, pattern)`;
  return new Map(rows.map(({ text, ids }) => [text, ids]));
}

/** A run is found by its typed id before it is indexed. */
function candidates(db: Queryable, { teamId, filter }: RunSearch, { query, prefix }: Words) {
  return db`found as materialized (
    (select s.team_id, s.id from run_search s where s.words @@ ${query}::tsquery ${inTime(db, filter)} limit ${mostCounted + 1})
    ${prefix ? db`union (select r.team_id, r.id from run r where r.team_id = ${teamId} and r.id >= ${prefix.first} and r.id <= ${prefix.last} limit ${mostCounted})` : db``})`;
}

const inTime = (db: Queryable, { from, to }: RunFilter) => db`
  ${from ? db`and s.id >= id_floor(${from})` : db``} ${to ? db`and s.id <= id_floor(${to}::timestamptz + interval '1 minute')` : db``}`;

/** With their status, from the runs themselves. They are read by their keys in one statement, which costs much less than one by one. */
const hits = (db: Queryable, { teamId, filter, hidden }: RunSearch) => db`
  select r.id, ${listedStatus(db)} as status from run r
  where r.id = any(array(select f.id from found f where f.team_id = ${teamId})) and ${matchesRuns(db, teamId, filter, hidden)}`;

/** The index contains everything that such a filter needs, so the runs need not be read. */
function isAllMarks({ filter, hidden }: RunSearch): boolean {
  const { statuses, phases, ids, labels, acknowledged, from, to } = filter;
  const isOver = statuses === undefined || statuses.every((status) => isFinal(status as Status));
  return isOver && hidden.ids.length <= mostLeftOut && [phases, ids, labels, acknowledged, from, to].every((one) => one === undefined);
}

/** One run by its key, compared with the whole filter. */
const runOf = (db: Queryable, { teamId, filter, hidden }: RunSearch, id: Piece) => db`
  select r.id from run r where r.id = ${id} and ${matchesRuns(db, teamId, filter, hidden)} offset 0`;

type Piece = ReturnType<typeof inTime>;

/**
 * One page of very many: from the runs in the order of the list; if too few of these match, from the part of all that match which should
 * fill the page, judging by those; otherwise from all that match.
 */
async function listMany(db: Queryable, search: RunSearch, { query }: Words, page: Page): Promise<string[]> {
  const { teamId, filter } = search;
  const isUp = page.order === "ASC";
  const order = (id: Piece) => (isUp ? db`${id} asc` : db`${id} desc`);
  const inTeam = db`from run_search s where s.team_id = ${teamId} ${inTime(db, filter)}`;
  const list = async (some: Piece) => {
    const rows = await db<{ id: string }[]>`
      select r.id from (${some}) s cross join lateral (${runOf(db, search, db`s.id`)}) r
      where s.team_id = ${teamId} and s.words @@ ${query}::tsquery order by ${order(db`s.id`)} limit ${page.limit} offset ${page.offset}`;
    return rows.map(({ id }) => id);
  };
  const listMatching = (within: Piece) =>
    list(db`
      select s.team_id, s.id, s.words from run_search s
      where s.words @@ ${query}::tsquery ${inTime(db, filter)} ${within} order by ${order(db`s.id`)} offset 0`);
  const nearest = await list(db`select s.team_id, s.id, s.words ${inTeam} order by ${order(db`s.id`)} limit ${mostWalked}`);
  if (nearest.length === page.limit) return nearest;
  if (nearest.length > 0) {
    const wanted = ((page.offset + page.limit) / (page.offset + nearest.length)) * mostWalked;
    const [last] = await db<
      { id: string }[]
    >`select s.id ${inTeam} order by ${order(db`s.id`)} limit 1 offset ${Math.ceil(wanted * spareShare)}`;
    const near = last ? await listMatching(isUp ? db`and s.id <= ${last.id}` : db`and s.id >= ${last.id}`) : [];
    if (near.length === page.limit) return near;
  }
  return listMatching(db``);
}

/** Matches are not spread evenly. */
const spareShare = 1.5;
