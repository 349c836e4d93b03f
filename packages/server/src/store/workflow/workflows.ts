import type { WorkflowTriggers } from "@millrace/contract/inbound/trigger.ts";
import type { WorkflowStatus } from "@millrace/contract/workflow/workflow.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";
import { countGrowing, type Span } from "../database/growing-totals.ts";
import { andNamesHave } from "../database/name-search.ts";
import { countArchivedWorkflows } from "./archived-workflows.ts";
import { isNoTry, listHiddenWorkflows } from "./hidden-workflows.ts";

/** What all versions of a workflow share. */
export interface WorkflowRow {
  id: string;
  name: string;
  displayName: string;
  status: WorkflowStatus;
  icon: string | null;
  description: string | null;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  triggers: WorkflowTriggers;
  /** No new version can be saved while its tests fail. */
  requiresTests: boolean;
  latestVersion: number;
  createdAt: Date;
  /** Null: it is not archived. */
  archivedAt: Date | null;
}

/** What a client may set; null clears icon and description. */
export type WorkflowHead = Pick<
  WorkflowRow,
  "displayName" | "status" | "icon" | "description" | "labels" | "annotations" | "triggers" | "requiresTests"
>;

/** For other statements that return workflows; the table is named `w`. */
export const workflowColumns = (db: Queryable) => db`
  w.id, w.name, w.display_name as "displayName", w.status, w.icon, w.description, w.labels, w.annotations, w.triggers,
  w.requires_tests as "requiresTests", w.latest_version as "latestVersion", w.created_at as "createdAt",
  w.archived_at as "archivedAt"`;

/** Names are lower case and never have the form of an id, so a reference is unambiguous. */
export const isReferenced = (db: Queryable, ref: string) => (isId(ref) ? db`w.id = ${ref}` : db`w.name = ${ref.toLowerCase()}`);

export async function findWorkflow(db: Queryable, teamId: string, ref: string): Promise<WorkflowRow | undefined> {
  const [row] = await db<WorkflowRow[]>`
    select ${workflowColumns(db)} from workflow w where w.team_id = ${teamId} and ${isReferenced(db, ref)} and w.deleted_at is null`;
  return row;
}

/**
 * The workflow, locked until the transaction ends: changes and deletions wait for each other. Not the
 * strongest lock, so that rows that refer to it can be inserted meanwhile. Read anything else only after it (traps 1).
 */
export async function lockWorkflow(db: Queryable, teamId: string, ref: string): Promise<WorkflowRow | undefined> {
  const [row] = await db<WorkflowRow[]>`
    select ${workflowColumns(db)} from workflow w where w.team_id = ${teamId} and ${isReferenced(db, ref)} and w.deleted_at is null
    for no key update`;
  return row;
}

/** Active or not. */
export async function countWorkflows(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from workflow w where w.team_id = ${teamId} and w.deleted_at is null and ${isNoTry(db)}`;
  return row!.count;
}

/** Undefined if the name is taken: the unique index decides, so two concurrent creations result in one workflow. */
export async function insertWorkflow(db: Queryable, teamId: string, name: string, head: WorkflowHead): Promise<WorkflowRow | undefined> {
  const [row] = await db<WorkflowRow[]>`
    insert into workflow as w (team_id, name, display_name, status, icon, description, labels, annotations, triggers, requires_tests, latest_version)
    values (${teamId}, ${name}, ${head.displayName}, ${head.status}, ${head.icon}, ${head.description}, ${JSON.stringify(head.labels)}::jsonb,
      ${JSON.stringify(head.annotations)}::json, ${JSON.stringify(head.triggers)}::json, ${head.requiresTests}, 1)
    on conflict (team_id, name) where deleted_at is null do nothing
    returning ${workflowColumns(db)}`;
  return row;
}

export async function updateWorkflow(db: Queryable, teamId: string, id: string, head: WorkflowHead, latestVersion: number): Promise<void> {
  await db`
    update workflow set display_name = ${head.displayName}, status = ${head.status}, icon = ${head.icon}, description = ${head.description},
      labels = ${JSON.stringify(head.labels)}::jsonb, annotations = ${JSON.stringify(head.annotations)}::json,
      triggers = ${JSON.stringify(head.triggers)}::json, requires_tests = ${head.requiresTests}, latest_version = ${latestVersion}
    where team_id = ${teamId} and id = ${id}`;
}

/** Which of these references (names or ids) are workflows of the team. */
export async function filterWorkflowRefs(db: Queryable, teamId: string, refs: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ ref: string }[]>`
    select r.ref from unnest(${[...refs]}::text[]) as r (ref)
    join workflow w on w.team_id = ${teamId} and w.deleted_at is null and (w.name = lower(r.ref) or w.id::text = lower(r.ref))
    where ${isNoTry(db)}`;
  return new Set(rows.map((row) => row.ref));
}

/** Those of these names that are taken. */
export async function listTakenNames(db: Queryable, teamId: string, prefix: string): Promise<Set<string>> {
  const rows = await db<{ name: string }[]>`
    select name from workflow where team_id = ${teamId} and deleted_at is null and starts_with(name, ${prefix})`;
  return new Set(rows.map((row) => row.name));
}

export interface WorkflowFilter {
  /** All must match. */
  labels: Record<string, string>;
  /** Empty: all. */
  statuses: readonly string[];
  /** Names or ids; undefined: all. */
  refs: readonly string[] | undefined;
  /** In the name, the display name or the description. */
  search?: string | undefined;
  /** Limits it to this workflow, for the caller; undefined: no limit. */
  onlyId?: string | undefined;
  /** Only archived ones; without it, only the others. */
  isArchived?: boolean | undefined;
  /** Only those that this user has marked. */
  favouriteOf?: string | undefined;
  /** Only those without a label of this key. */
  withoutLabel?: string | undefined;
}

/** For other statements that list workflows; the table is named `w`. */
export const isMatching = (db: Queryable, teamId: string, filter: WorkflowFilter) => db`
  w.team_id = ${teamId} and w.deleted_at is null and ${isNoTry(db)}
  ${filter.isArchived ? db`and w.archived_at is not null` : db`and w.archived_at is null`}
  ${filter.favouriteOf === undefined ? db`` : db`and exists (select from favourite f where f.user_id = ${filter.favouriteOf} and f.team_id = w.team_id and f.workflow_id = w.id)`}
  ${filter.onlyId === undefined ? db`` : db`and w.id = ${filter.onlyId}`}
  ${filter.statuses.length > 0 ? db`and w.status = any(${[...filter.statuses]})` : db``}
  ${Object.keys(filter.labels).length > 0 ? db`and w.labels @> ${JSON.stringify(filter.labels)}::jsonb` : db``}
  ${filter.withoutLabel === undefined ? db`` : db`and not w.labels ? ${filter.withoutLabel}`}
  ${filter.refs ? db`and (w.name = any(${filter.refs.map((ref) => ref.toLowerCase())}) or w.id = any(${filter.refs.filter(isId)}::uuid[]))` : db``}
  ${andNamesHave(db, filter.search, db`w.name`, db`w.display_name`, db`left(w.description, 2000)`)}`;

/** The total of a team only grows, except for deletions and archiving; results of any other filter are counted each time. */
export async function countMatchingWorkflows(db: Queryable, teamId: string, filter: WorkflowFilter): Promise<number> {
  const count = async ({ from, to }: Span) => {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from workflow w where ${isMatching(db, teamId, filter)}
        ${from ? db`and w.created_at >= ${from}` : db``} ${to ? db`and w.created_at < ${to}` : db``}`;
    return row!.count;
  };
  if (isNarrowed(filter)) return count({});
  const [{ state }, archived] = [await listHiddenWorkflows(db, teamId), await countArchivedWorkflows(db, teamId)];
  return countGrowing(db, JSON.stringify(["workflow", teamId, state, archived]), count);
}

const isNarrowed = ({ statuses, labels, refs, search, isArchived, ...only }: WorkflowFilter) =>
  statuses.length > 0 ||
  Object.keys(labels).length > 0 ||
  refs !== undefined ||
  Boolean(search) ||
  isArchived === true ||
  [only.onlyId, only.favouriteOf, only.withoutLabel].some((value) => value !== undefined);

/** One page, by date of creation and then id: paging never repeats or skips (index workflow_created). */
export async function listWorkflows(
  db: Queryable,
  teamId: string,
  filter: WorkflowFilter,
  page: { order: "ASC" | "DESC"; limit: number; offset: number },
): Promise<WorkflowRow[]> {
  const direction = page.order === "DESC" ? db`desc` : db`asc`;
  return db<WorkflowRow[]>`
    select ${workflowColumns(db)} from workflow w where ${isMatching(db, teamId, filter)}
    order by w.created_at ${direction}, w.id ${direction} limit ${page.limit} offset ${page.offset}`;
}
