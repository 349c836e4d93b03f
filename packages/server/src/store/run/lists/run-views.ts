import type { RunViewRequest } from "@millrace/contract/run/run-view.ts";
import type { Queryable, Transaction } from "../../database/database.ts";

/** Views of the list of runs. Apart from its name and owner, a view is a document that only pages read. */

export type ViewDocument = Omit<RunViewRequest, "name" | "scope">;

export interface RunViewRow {
  id: string;
  /** A principal; null: it belongs to the team. */
  owner: string | null;
  name: string;
  document: ViewDocument;
  creatorName: string;
  createdAt: Date;
  /** Whether it is the default of the principal that reads it. */
  isDefault: boolean;
}

const columns = (db: Queryable, reader: string) => db`
  v.id, v.owner, v.name, v.document, v.creator_name as "creatorName", v.created_at as "createdAt",
  exists (select from run_view_default d where d.team_id = v.team_id and d.owner = ${reader} and d.view_id = v.id) as "isDefault"`;

/** Those of the team and of that principal. */
export async function listViews(db: Queryable, teamId: string, owner: string): Promise<RunViewRow[]> {
  return db<RunViewRow[]>`
    select ${columns(db, owner)} from run_view v where v.team_id = ${teamId} and (v.owner is null or v.owner = ${owner})
    order by v.owner is not null, lower(v.name), v.id`;
}

/** Reads a view that stays until the end of the transaction. @returns undefined also for another person's view */
export async function lockView(tx: Transaction, teamId: string, owner: string, id: string): Promise<RunViewRow | undefined> {
  const [row] = await tx<RunViewRow[]>`
    select ${columns(tx, owner)} from run_view v where v.team_id = ${teamId} and v.id = ${id} and (v.owner is null or v.owner = ${owner})
    for update of v`;
  return row;
}

/** Serialized, so that the limit is not exceeded. */
export async function countViewsLocked(tx: Transaction, teamId: string, owner: string | null): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended('millrace.run-view ' || ${teamId}::text, 0))`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from run_view where team_id = ${teamId} and owner is not distinct from ${owner}`;
  return row!.count;
}

interface NewView extends Pick<RunViewRow, "owner" | "name" | "document"> {
  teamId: string;
  by: { id: string; name: string };
}

export async function insertView(tx: Transaction, { teamId, owner, name, document, by }: NewView): Promise<RunViewRow> {
  const [row] = await tx<RunViewRow[]>`
    insert into run_view as v (team_id, owner, name, document, created_by, creator_name)
    values (${teamId}, ${owner}, ${name}, ${JSON.stringify(document)}::json, ${by.id}, ${by.name}) returning ${columns(tx, by.id)}`;
  return row!;
}

export async function updateView(
  tx: Transaction,
  teamId: string,
  reader: string,
  view: Pick<RunViewRow, "id" | "owner" | "name" | "document">,
): Promise<RunViewRow> {
  const [row] = await tx<RunViewRow[]>`
    update run_view v set owner = ${view.owner}, name = ${view.name}, document = ${JSON.stringify(view.document)}::json
    where v.team_id = ${teamId} and v.id = ${view.id} returning ${columns(tx, reader)}`;
  return row!;
}

export async function deleteView(db: Queryable, teamId: string, id: string): Promise<void> {
  await db`delete from run_view where team_id = ${teamId} and id = ${id}`;
}

/** Replaces the default of that principal. */
export async function setDefaultView(tx: Transaction, teamId: string, owner: string, id: string): Promise<void> {
  await tx`
    insert into run_view_default (team_id, owner, view_id) values (${teamId}, ${owner}, ${id})
    on conflict (team_id, owner) do update set view_id = excluded.view_id`;
}

export async function deleteDefaultView(tx: Transaction, teamId: string, owner: string, id: string): Promise<void> {
  await tx`delete from run_view_default where team_id = ${teamId} and owner = ${owner} and view_id = ${id}`;
}
