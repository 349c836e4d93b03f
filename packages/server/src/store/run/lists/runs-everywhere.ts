import type { RunSearchHit } from "@millrace/contract/run/run-search.ts";
import type { WaitKind } from "@millrace/contract/status.ts";
import { idPrefix, searchedTexts, searchQuery } from "../../../core/run/lists/search-words.ts";
import type { Queryable } from "../../database/database.ts";
import { isNoTry } from "../../workflow/hidden-workflows.ts";
import { waitKindsOf } from "../runs.ts";
import { findNamed, mostCounted, planForValues } from "./run-search-query.ts";

interface Everywhere {
  /** Ids; undefined: all. */
  teams: readonly string[] | undefined;
  /** Only runs of this workflow. */
  workflowId: string | undefined;
  search: string;
  limit: number;
}

type Piece = ReturnType<typeof waitKindsOf>;

/** For more teams the index is not used: runs of other teams are then excluded one by one. */
const mostTeams = 200;

type FoundRun = Omit<RunSearchHit, "creationDate" | "waitKinds"> & { createdAt: Date; waitKinds: WaitKind[] };

/** The newest runs, among which words that many have are looked for first. */
const mostNewest = 300;

/**
 * The newest runs of several teams by their words. If very many match, but not enough of the newest runs, they are the newest among some
 * thousands of them.
 */
export async function findRunsEverywhere(db: Queryable, { teams, workflowId, search, limit }: Everywhere): Promise<FoundRun[]> {
  const texts = searchedTexts(search);
  if (texts.length === 0) return [];
  const query = searchQuery(texts, await findNamed(db, teams, texts), {
    ...(teams && teams.length <= mostTeams && { teamIds: teams }),
    ...(workflowId !== undefined && { workflowIds: [workflowId] }),
  });
  const prefix = texts.length === 1 ? idPrefix(texts[0]!) : undefined;
  await planForValues(db);
  const inTeams = (id: Piece) => (teams === undefined ? db`` : db`and ${id} = any(${[...teams]}::uuid[])`);
  const list = (found: Piece) => db<FoundRun[]>`
    with found as materialized (${found})
    select r.id, r.status, ${waitKindsOf(db)}, r.created_at as "createdAt", w.name as "workflowName", w.display_name as "workflowDisplayName",
      t.name as "teamName", t.display_name as "teamDisplayName"
    from (select f.team_id, f.id from found f where true ${inTeams(db`f.team_id`)} order by f.id desc offset 0) f
      cross join lateral (
        select r.id, r.team_id, r.workflow_id, r.status, r.phase, r.activity, r.created_at from run r
        where r.team_id = f.team_id and r.id = f.id ${workflowId === undefined ? db`` : db`and r.workflow_id = ${workflowId}`} offset 0) r
      join workflow w on w.team_id = r.team_id and w.id = r.workflow_id and w.deleted_at is null and ${isNoTry(db)}
      join team t on t.id = r.team_id and t.deleted_at is null
    order by f.id desc limit ${limit}`;
  if (prefix === undefined) {
    // For words that many have, the index would collect all of them first.
    const newest = await list(db`
      select n.team_id, n.id from (select r.team_id, r.id from run r order by r.id desc limit ${mostNewest}) n
        cross join lateral (select s.words from run_search s where s.team_id = n.team_id and s.id = n.id offset 0) s
      where s.words @@ ${query}::tsquery ${inTeams(db`n.team_id`)}`);
    if (newest.length === limit) return newest;
  }
  return list(db`
    (select s.team_id, s.id from run_search s where s.words @@ ${query}::tsquery limit ${mostCounted})
    ${prefix ? db`union (select r.team_id, r.id from run r where r.id >= ${prefix.first} and r.id <= ${prefix.last} limit ${mostCounted})` : db``}`);
}
