import type { UserSettings, UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";
import { andNamesHave } from "../database/name-search.ts";
import type { QueryOrder } from "../database/query-order.ts";

/** Everything that is shown of a user. Users belong to no team: they are data of the instance. */
export interface UserDetailRow {
  id: string;
  email: string;
  name: string | null;
  displayName: string | null;
  type: UserType;
  status: UserStatus;
  labels: Record<string, string>;
  /** What differs from the defaults. */
  settings: Partial<UserSettings>;
  createdAt: Date;
  lastLoginAt: Date | null;
  issuer: string | null;
  subject: string | null;
  /** Another subject that came with the same address; an administrator may accept it. */
  requestedIssuer: string | null;
  requestedSubject: string | null;
  requestedAt: Date | null;
}

const userDetailColumns = (db: Queryable) => db`
  app_user.id, app_user.email, app_user.name, app_user.display_name as "displayName", app_user.type, app_user.status, app_user.labels,
  app_user.settings, app_user.created_at as "createdAt", app_user.last_login_at as "lastLoginAt", app_user.issuer, app_user.subject,
  app_user.requested_issuer as "requestedIssuer", app_user.requested_subject as "requestedSubject", app_user.requested_at as "requestedAt"`;

/** By id, else by email address. */
export async function findUserDetails(db: Queryable, reference: string): Promise<UserDetailRow | undefined> {
  const [row] = isId(reference)
    ? await db<UserDetailRow[]>`select ${userDetailColumns(db)} from app_user where id = ${reference}`
    : await db<UserDetailRow[]>`select ${userDetailColumns(db)} from app_user where email = lower(normalize(${reference}, nfc))`;
  return row;
}

/** The user, locked until the transaction ends: nobody changes the row meanwhile, or adds the user to a team (foreign key). */
export async function lockUser(db: Queryable, id: string): Promise<UserDetailRow | undefined> {
  const [row] = await db<UserDetailRow[]>`select ${userDetailColumns(db)} from app_user where id = ${id} for update`;
  return row;
}

/** What can be changed of a user. */
export type UserFields = Pick<UserDetailRow, "name" | "displayName" | "type" | "status" | "labels" | "settings">;

/** Writes all fields of a user that was locked and read before. A user whose status changes is no longer merely invited. */
export async function updateUser(db: Queryable, id: string, user: UserFields): Promise<void> {
  await db`
    update app_user set name = ${user.name}, display_name = ${user.displayName}, type = ${user.type}, labels = ${db.json(user.labels)},
      settings = ${JSON.stringify(user.settings)}::json, status = ${user.status}, is_invited = is_invited and status = ${user.status}
    where id = ${id}`;
}

/** The user's tokens and sessions are deleted, too (foreign key). */
export async function deleteUser(db: Queryable, id: string): Promise<void> {
  await db`delete from app_user where id = ${id}`;
}

/** Active administrators other than that user. Lock the instance first, or two of them could be removed at the same time. */
export async function countOtherAdministrators(db: Queryable, userId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from app_user where type = 'admin' and status = 'active' and id <> ${userId}`;
  return row!.count;
}

export interface UserFilter {
  labels: Record<string, string>;
  statuses: readonly string[] | undefined;
  /** Ids or email addresses; all if undefined or empty. */
  ids: readonly string[] | undefined;
  types: readonly string[] | undefined;
  /** In a name or the email address. */
  search: string | undefined;
}

/**
 * One page of the matching users, and their number over all pages. Ties are ordered by id (indexes app_user_name, _status, _type,
 * _created).
 */
export async function queryUsers(db: Queryable, filter: UserFilter, order: QueryOrder): Promise<{ rows: UserDetailRow[]; total: number }> {
  const wanted = filter.ids?.map((id) => id.toLowerCase());
  const where = db`
    where true ${Object.keys(filter.labels).length > 0 ? db`and app_user.labels @> ${db.json(filter.labels)}` : db``}
      ${filter.statuses === undefined || filter.statuses.length === 0 ? db`` : db`and app_user.status = any(${[...filter.statuses]})`}
      ${wanted === undefined || wanted.length === 0 ? db`` : db`and (app_user.id = any(${wanted.filter(isId)}::uuid[]) or app_user.email = any(${wanted}))`}
      ${filter.types === undefined || filter.types.length === 0 ? db`` : db`and app_user.type = any(${[...filter.types]})`}
      ${andNamesHave(db, filter.search, db`app_user.email`, db`app_user.name`, db`app_user.display_name`)}`;
  const direction = order.isDescending ? db`desc` : db`asc`;
  // Only for nullable columns: an index that is read backwards would have the nulls first.
  const nulls = order.sort === "displayName" || order.sort === "lastLoginDate" ? db`nulls last` : db``;
  const rows = await db<UserDetailRow[]>`
    select ${userDetailColumns(db)} from app_user ${where}
    order by ${sortColumn(db, order.sort)} ${direction} ${nulls}, app_user.id ${direction} limit ${order.limit} offset ${order.offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total from app_user ${where}`;
  return { rows, total: count!.total };
}

function sortColumn(db: Queryable, sort: string) {
  switch (sort) {
    case "displayName":
      return db`app_user.display_name`;
    case "email":
      return db`app_user.email`;
    case "type":
      return db`app_user.type`;
    case "status":
      return db`app_user.status`;
    case "creationDate":
      return db`app_user.created_at`;
    case "lastLoginDate":
      return db`app_user.last_login_at`;
    default:
      return db`coalesce(app_user.name, app_user.email)`;
  }
}
