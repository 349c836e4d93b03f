import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";
import { andNamesHave } from "../database/name-search.ts";
import type { QueryOrder } from "../database/query-order.ts";
import { type TeamRow, teamColumns } from "./teams.ts";

/** A list of teams: the statement goes over all of them, so the caller's reach is one of its parameters. */

export interface TeamFilter {
  /** Ids of the teams that the caller may read; undefined for all. */
  readable: readonly string[] | undefined;
  labels: Record<string, string>;
  /** Names or ids; all if undefined or empty. */
  teams: readonly string[] | undefined;
  statuses: readonly string[] | undefined;
  /** In the name or the display name. */
  search?: string | undefined;
}

/** Names are unique; ids break ties of other fields. */
function parts(db: Queryable, filter: TeamFilter, order: QueryOrder) {
  const wanted = filter.teams?.map((team) => team.toLowerCase());
  const where = db`
    where team.deleted_at is null
      ${Object.keys(filter.labels).length === 0 ? db`` : db`and team.labels @> ${db.json(filter.labels)}`}
      ${filter.readable === undefined ? db`` : db`and team.id = any(${[...filter.readable]})`}
      ${wanted === undefined || wanted.length === 0 ? db`` : db`and (team.name = any(${wanted}) or team.id = any(${wanted.filter(isId)}::uuid[]))`}
      ${filter.statuses === undefined || filter.statuses.length === 0 ? db`` : db`and team.status = any(${[...filter.statuses]})`}
      ${andNamesHave(db, filter.search, db`team.name`, db`team.display_name`)}`;
  const direction = order.isDescending ? db`desc` : db`asc`;
  const page = db`
    from team ${where}
    order by ${sortColumn(db, order.sort)} ${direction}, team.id ${direction} limit ${order.limit} offset ${order.offset}`;
  return { page, where };
}

async function countTeams(db: Queryable, where: ReturnType<typeof parts>["where"]): Promise<number> {
  const [row] = await db<{ total: number }[]>`select count(*)::int as total from team ${where}`;
  return row!.total;
}

/**
 * One page of the matching teams, and their number over all pages.
 *
 * @returns undefined if the parameters of these teams have more than `maxBytes` together, which limits the response
 */
export async function queryTeams(
  db: Queryable,
  filter: TeamFilter,
  order: QueryOrder & { maxBytes: number },
): Promise<{ rows: TeamRow[]; total: number } | undefined> {
  const { page, where } = parts(db, filter, order);
  const sizes = await db<{ bytes: number }[]>`select octet_length(team.parameters::text) as bytes ${page}`;
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > order.maxBytes) return undefined;
  const rows = await db<TeamRow[]>`select ${teamColumns(db)} ${page}`;
  return { rows, total: await countTeams(db, where) };
}

export type TeamHead = Pick<TeamRow, "id" | "name" | "displayName" | "status">;

/** The same without potentially large columns. */
export async function queryTeamHeads(db: Queryable, filter: TeamFilter, order: QueryOrder): Promise<{ rows: TeamHead[]; total: number }> {
  const { page, where } = parts(db, filter, order);
  const rows = await db<TeamHead[]>`select team.id, team.name, team.display_name as "displayName", team.status ${page}`;
  return { rows, total: await countTeams(db, where) };
}

function sortColumn(db: Queryable, sort: string) {
  switch (sort) {
    case "displayName":
      return db`team.display_name`;
    case "status":
      return db`team.status`;
    case "creationDate":
      return db`team.created_at`;
    default:
      return db`team.name`;
  }
}
