import type { Connection } from "../connection/connect.ts";
import { exitCodes, Failure } from "../failure.ts";
import type { Column } from "../output/table.ts";

/** A kind of object that `get`, `list`, `describe`, `delete` and `export` support. */
export interface Kind<Row extends object = object> {
  name: string;
  plural: string;
  /** Its `kind` in documents for `apply`. Absent: `apply` doesn't support it. */
  documentKind?: string;
  /** Members that the service sets, or that `apply` doesn't accept. */
  ownMembers?: readonly string[];
  /** Whether it belongs to a team, to the instance, or to either. */
  place: "team" | "instance" | "both";
  columns: readonly Column<Row>[];
  nameOf(row: Row): string;
  list(scope: Scope, query: ListQuery): Promise<Page<Row>>;
  get(scope: Scope, name: string): Promise<Row>;
  /** The object as a document, if that isn't simply the result of `get` without `ownMembers`. */
  toDocument?(scope: Scope, row: Row): Promise<object | string>;
  remove?(scope: Scope, name: string): Promise<unknown>;
}

/** Undefined: the instance. */
export interface Scope {
  connection: Connection;
  team: string | undefined;
}

export interface ListQuery {
  search?: string;
  labels?: string[];
  limit: number;
  page: number;
}

export interface Page<Row> {
  content: Row[];
  totalElements: number;
}

/** For kinds whose endpoint returns the whole list. */
export function pageOf<Row extends object>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  { search = "", limit, page }: ListQuery,
): Page<Row> {
  const words = search.toLowerCase().split(/\s+/);
  const found = rows.filter((row) => words.every((word) => nameOf(row).toLowerCase().includes(word)));
  return { content: found.slice(page * limit, (page + 1) * limit), totalElements: found.length };
}

/** @throws {Failure} when there is none, or more than one */
export function onlyOne<Row extends object>(rows: readonly Row[], what: string, name: string): Row {
  if (rows.length === 1) return rows[0]!;
  if (rows.length === 0) throw new Failure(exitCodes.notFound, `There is no ${what} ${name}`, `List them with: millrace list ${what}s`);
  throw new Failure(
    exitCodes.conflict,
    `${rows.length} ${what}s are named ${name}`,
    `Use an ID: ${rows.map((row) => (row as { id?: string }).id).join(", ")}`,
  );
}

export function teamOf({ team }: Scope): string {
  if (team === undefined)
    throw new Failure(exitCodes.notUnderstood, "--global is not for this kind, which belongs to a team", "Leave out --global");
  return team;
}

export const isId = (name: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(name);
