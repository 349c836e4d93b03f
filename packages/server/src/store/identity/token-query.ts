import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";
import type { QueryOrder } from "../database/query-order.ts";
import { type TokenRow, tokenColumns } from "./tokens.ts";

/** The tokens of people, teams and the instance in one list: the caller's reach is one of its parameters. */

export interface TokenFilter {
  readable: "all" | { teamIds: readonly string[]; userId: string | undefined };
  types: readonly string[] | undefined;
  /** Names or ids of teams, ids of workflows, ids or addresses of users, ** for global tokens. */
  principals: readonly string[] | undefined;
  from?: Date;
  to?: Date;
}

/** One page of the matching tokens, and their number over all pages. */
export async function queryTokens(db: Queryable, filter: TokenFilter, order: QueryOrder): Promise<{ rows: TokenRow[]; total: number }> {
  const { readable, types } = filter;
  const wanted = filter.principals?.map((principal) => principal.toLowerCase());
  const from = db`
    from token
    where (token.team_id is null or token.team_id <> all(array(select t.id from team t where t.deleted_at is not null)))
      ${readable === "all" ? db`` : db`and (token.team_id = any(${[...readable.teamIds]}) or token.user_id = ${readable.userId ?? null})`}
      ${types === undefined || types.length === 0 ? db`` : db`and token.kind = any(${[...types]})`}
      ${wanted === undefined || wanted.length === 0 ? db`` : db`and ${isOf(db, wanted)}`}
      ${filter.from === undefined ? db`` : db`and token.created_at >= ${filter.from}`}
      ${filter.to === undefined ? db`` : db`and token.created_at < ${filter.to}`}`;
  const direction = order.isDescending ? db`desc` : db`asc`;
  const rows = await db<TokenRow[]>`
    select ${tokenColumns(db)} ${from}
    order by ${sortColumn(db, order.sort)} ${direction}, token.id ${direction} limit ${order.limit} offset ${order.offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total ${from}`;
  return { rows, total: count!.total };
}

/** A workflow token is found by the id of its workflow, and by the name of its team. */
function isOf(db: Queryable, principals: readonly string[]) {
  const ids = principals.filter(isId);
  return db`(
    token.team_id = any(array(select t.id from team t where t.name = any(${[...principals]}) and t.deleted_at is null))
    or token.user_id = any(array(select u.id from app_user u where u.email = any(${[...principals]})))
    or token.user_id = any(${ids}::uuid[]) or token.workflow_id = any(${ids}::uuid[])
    or token.team_id = any(${ids}::uuid[]) and token.workflow_id is null
    ${principals.includes("**") ? db`or token.kind = 'global'` : db``})`;
}

function sortColumn(db: Queryable, sort: string) {
  switch (sort) {
    case "name":
      return db`token.name`;
    case "type":
      return db`token.kind`;
    case "expirationDate":
      return db`token.expires_at`;
    default:
      return db`token.created_at`;
  }
}
