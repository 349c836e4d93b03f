import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";

/** Reads audit records for people, of one team or (without a team) of everything. Records outlive what they are about. */

export interface AuditRow {
  id: string;
  at: Date;
  teamId: string | null;
  teamName: string | null;
  principalKind: string;
  principalId: string;
  principalName: string | null;
  tokenId: string | null;
  action: string;
  objectKind: string;
  objectId: string | null;
  objectName: string | null;
  requestId: string | null;
  before: unknown;
  after: unknown;
  /** `before` and `after` were left out, because they are too large for one response. */
  isTruncated: boolean;
}

export interface AuditFilter {
  /** Undefined: everything, including records without a team. */
  teamId: string | undefined;
  /** Names or ids of teams; undefined: all. */
  teams?: readonly string[] | undefined;
  /** In the form of `resolveActors`; undefined: all. */
  actors?: ActorFilter | undefined;
  kinds?: readonly string[] | undefined;
  /** Ids, or names of objects other than runs. */
  objects?: readonly string[] | undefined;
  actions?: readonly string[] | undefined;
  requestId?: string | undefined;
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

export interface ActorFilter {
  principalIds: readonly string[];
  /** Names that match nobody now: they are searched in the records themselves. */
  names: readonly string[];
}

/**
 * Resolves these texts: a principal (`user:ID`, `token:ID`), the id of a user or token, the address or name of a user, the name of a token.
 * A text that matches nobody may be the name of someone who no longer exists.
 */
export async function resolveActors(db: Queryable, texts: readonly string[]): Promise<ActorFilter> {
  const given = [...new Set(texts.map((text) => text.toLowerCase()))];
  const rows = await db<{ text: string; principalId: string }[]>`
    select g.text, 'user:' || u.id as "principalId" from unnest(${given}::text[]) as g (text)
      join app_user u on u.email = g.text or lower(u.name) = g.text or lower(u.display_name) = g.text
    union all
    select g.text, 'token:' || t.id from unnest(${given}::text[]) as g (text) join token t on lower(t.name) = g.text where t.user_id is null`;
  const known = new Set(rows.map(({ text }) => text));
  const ids = given.flatMap((text) => (isId(text) ? [`user:${text}`, `token:${text}`] : /^(?:user|token):/.test(text) ? [text] : []));
  const names = given.filter((text) => !known.has(text) && !isId(text) && !/^(?:user|token):/.test(text));
  return { principalIds: [...ids, ...rows.map(({ principalId }) => principalId)], names };
}

/**
 * Ids begin with the time, so a time range is a range of ids, in the partitions of its months only; at its ends the date itself decides.
 * Indexes: audit_team, audit_actor, audit_object and audit_object_name; a request id is searched within the rows of the other filters.
 */
function where(db: Queryable, filter: AuditFilter) {
  const { teamId, teams, actors, kinds, objects, actions, requestId, from, to } = filter;
  return db`
    true
    ${teamId === undefined ? db`` : db`and a.team_id = ${teamId}`}
    ${teams ? db`and a.team_id in (select t.id from team t where t.name = any(${lower(teams)}) union all select unnest(${teams.filter(isId)}::uuid[]))` : db``}
    ${actors ? isBy(db, actors) : db``}
    ${kinds ? db`and a.object_kind = any(${lower(kinds)})` : db``}
    ${objects ? db`and (a.object_id = any(${[...objects]}) or (lower(a.object_name) = any(${lower(objects)}) and a.object_kind <> 'workflowrun'))` : db``}
    ${actions ? db`and a.action = any(${lower(actions)})` : db``}
    ${requestId === undefined ? db`` : db`and a.request_id = ${requestId}`}
    ${from ? db`and a.id >= id_floor(greatest(${from}::timestamptz - interval '1 minute', 'epoch')) and a.at >= ${from}` : db``}
    ${to ? db`and a.id <= id_floor(${to}::timestamptz + interval '1 minute') and a.at < ${to}` : db``}`;
}

function isBy(db: Queryable, { principalIds, names }: ActorFilter) {
  if (names.length === 0) return db`and a.principal_id = any(${[...principalIds]})`;
  return db`and (a.principal_id = any(${[...principalIds]}) or lower(a.principal_name) = any(${[...names]}))`;
}

function lower(texts: readonly string[]): string[] {
  return texts.map((text) => text.toLowerCase());
}

export async function countAuditEntries(db: Queryable, filter: AuditFilter): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from audit a where ${where(db, filter)}`;
  return row!.count;
}

const columns = (db: Queryable) => db`
  a.id, a.at, a.team_id as "teamId", t.name as "teamName", a.principal_kind as "principalKind", a.principal_id as "principalId",
  a.principal_name as "principalName", a.token_id as "tokenId", a.action, a.object_kind as "objectKind", a.object_id as "objectId",
  a.object_name as "objectName", a.request_id as "requestId"`;

/** One page, in the order in which the records were written. States beyond `maxBytes` in total are left out, to limit the response. */
export async function listAuditEntries(
  db: Queryable,
  filter: AuditFilter,
  page: { order: "ASC" | "DESC"; limit: number; offset: number; maxBytes: number },
): Promise<AuditRow[]> {
  const order = page.order === "ASC" ? db`a.id asc` : db`a.id desc`;
  return db<AuditRow[]>`
    with page as (
      select a.id, coalesce(octet_length(a.before::text), 0) + coalesce(octet_length(a.after::text), 0) as bytes from audit a
      where ${where(db, filter)} order by ${order} limit ${page.limit} offset ${page.offset}
    ), sized as (
      select a.id, sum(a.bytes) over (order by ${order}) > ${page.maxBytes} and a.bytes > 0 as is_cut from page a
    )
    select ${columns(db)}, case when sized.is_cut then null else a.before end as before, case when sized.is_cut then null else a.after end as after,
      sized.is_cut as "isTruncated"
    from sized join audit a on a.id = sized.id left join team t on t.id = a.team_id order by ${order}`;
}

/** @param teamId undefined: of any team, or of none */
export async function findAuditEntry(db: Queryable, teamId: string | undefined, id: string): Promise<AuditRow | undefined> {
  const [row] = await db<AuditRow[]>`
    select ${columns(db)}, a.before, a.after, false as "isTruncated" from audit a left join team t on t.id = a.team_id
    where a.id = ${id} ${teamId === undefined ? db`` : db`and a.team_id = ${teamId}`}`;
  return row;
}
