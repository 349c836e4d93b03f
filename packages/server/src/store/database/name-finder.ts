import type { SearchHit, SearchKind } from "@millrace/contract/search.ts";
import { isNoTry } from "../workflow/hidden-workflows.ts";
import type { Queryable } from "./database.ts";
import { andNamesHave, escapeLike, searchedWords } from "./name-search.ts";

/**
 * Things by their names, over all teams that the caller may read: each statement goes over them, so the caller's reach is one of its
 * parameters. Rows are ranked and cut in the database. No index answers "somewhere in it"; the rows are narrow, and each is examined once.
 */

export interface Wanted {
  search: string;
  limit: number;
}

/** Ids of teams; undefined: all. */
type Reach = readonly string[] | undefined;

export function findTeams(db: Queryable, teams: Reach, { search, limit }: Wanted): Promise<SearchHit[]> {
  return db<SearchHit[]>`
    select ${kind(db, "team")}, t.id, t.name, t.display_name as "displayName", null as "teamName", null as "teamDisplayName", t.status
    from team t
    where t.deleted_at is null ${teams === undefined ? db`` : db`and t.id = any(${[...teams]}::uuid[])`}
      ${andNamesHave(db, search, db`t.name`, db`t.display_name`)}
    order by ${rank(db, search, db`t.name`, db`t.display_name`)}, t.created_at desc, t.id desc limit ${limit}`;
}

export function findWorkflows(db: Queryable, teams: Reach, { search, limit }: Wanted): Promise<SearchHit[]> {
  return db<SearchHit[]>`
    select ${kind(db, "workflow")}, w.id, w.name, w.display_name as "displayName", t.name as "teamName", t.display_name as "teamDisplayName", w.status
    from workflow w join team t on t.id = w.team_id and t.deleted_at is null and w.archived_at is null
    where w.deleted_at is null and ${isNoTry(db)} ${teams === undefined ? db`` : db`and w.team_id = any(${[...teams]}::uuid[])`}
      ${andNamesHave(db, search, db`w.name`, db`w.display_name`, db`t.name`, db`t.display_name`)}
    order by ${rank(db, search, db`w.name`, db`w.display_name`)}, w.created_at desc, w.id desc limit ${limit}`;
}

/** Those of the teams, and the global ones, which everyone may read. */
export function findTasks(db: Queryable, teams: Reach, { search, limit }: Wanted): Promise<SearchHit[]> {
  return db<SearchHit[]>`
    select ${kind(db, "task")}, k.id, k.name, v.display_name as "displayName", t.name as "teamName", t.display_name as "teamDisplayName", k.status
    from task k
      join task_version v on v.task_id = k.id and v.version = k.latest_version and v.replaced_at is null
      left join team t on t.id = k.team_id
    where k.deleted_at is null and t.deleted_at is null
      ${teams === undefined ? db`` : db`and (k.team_id is null or k.team_id = any(${[...teams]}::uuid[]))`}
      ${andNamesHave(db, search, db`k.name`, db`v.display_name`, db`t.name`, db`t.display_name`)}
    order by ${rank(db, search, db`k.name`, db`v.display_name`)}, k.created_at desc, k.id desc limit ${limit}`;
}

export function findTemplates(db: Queryable, { search, limit }: Wanted): Promise<SearchHit[]> {
  return db<SearchHit[]>`
    select ${kind(db, "template")}, w.id, w.name, w.display_name as "displayName", null as "teamName", null as "teamDisplayName", null as status
    from workflow_template w
    where true ${andNamesHave(db, search, db`w.name`, db`w.display_name`)}
    order by ${rank(db, search, db`w.name`, db`w.display_name`)}, w.id desc limit ${limit}`;
}

type Piece = Parameters<typeof andNamesHave>[2];

const kind = (db: Queryable, word: SearchKind) => db`${word}::text as kind`;

/** 0: a name begins with the first word; 1: a word of it does; 2: it is somewhere in it; 3: only elsewhere. */
function rank(db: Queryable, search: string, name: Piece, displayName: Piece) {
  const first = searchedWords(search)[0];
  if (first === undefined) return db`null::int`;
  const word = escapeLike(first);
  const has = (pattern: string) => db`${name} ilike ${pattern} or ${displayName} ilike ${pattern}`;
  const asWord = db`${has(`%-${word}%`)} or ${has(`% ${word}%`)} or ${has(`%\\_${word}%`)} or ${has(`%.${word}%`)}`;
  return db`case when ${has(`${word}%`)} then 0 when ${asWord} then 1 when ${has(`%${word}%`)} then 2 else 3 end`;
}
