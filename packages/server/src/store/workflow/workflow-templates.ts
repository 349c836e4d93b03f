import { isId } from "../../base/text/uuid.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../database/database.ts";
import { andNamesHave } from "../database/name-search.ts";

/** A template with one of its versions: the latest one by default. Templates belong to no team. */
export interface TemplateRow {
  id: string;
  name: string;
  displayName: string;
  icon: string | null;
  description: string | null;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  latestVersion: number;
  versionId: string;
  version: number;
  /** Secrets in it are encrypted. */
  document: WorkflowDocument;
  author: string | null;
  reason: string | null;
  changedAt: Date;
}

/** What all versions share. */
export type TemplateHead = Pick<TemplateRow, "displayName" | "icon" | "description" | "labels" | "annotations">;

const headColumns = (db: Queryable) => db`
  t.id, t.name, t.display_name as "displayName", t.icon, t.description, t.labels, t.annotations, t.latest_version as "latestVersion",
  v.id as "versionId", v.version, v.change_author as "author", v.change_reason as "reason", v.changed_at as "changedAt"`;

/** Names are unique ignoring case, and never have the form of an id. */
const isReferenced = (db: Queryable, ref: string) => (isId(ref) ? db`t.id = ${ref}` : db`lower(t.name) = ${ref.toLowerCase()}`);

/** @param version the latest when undefined */
export async function findTemplate(db: Queryable, ref: string, version?: number): Promise<TemplateRow | undefined> {
  const [row] = await db<TemplateRow[]>`
    select ${headColumns(db)}, v.document from workflow_template t
      join workflow_template_version v on v.template_id = t.id and v.replaced_at is null
        and v.version = ${version === undefined ? db`t.latest_version` : version}
    where ${isReferenced(db, ref)}`;
  return row;
}

/** The template, locked until the transaction ends. Its versions must be read in a statement after this one. */
export async function lockTemplate(db: Queryable, ref: string): Promise<{ id: string } | undefined> {
  const [row] = await db<{ id: string }[]>`select t.id from workflow_template t where ${isReferenced(db, ref)} for no key update`;
  return row;
}

/** Its id, or undefined if the name is taken: the unique index decides, so two concurrent creations result in one template. */
export async function insertTemplate(db: Queryable, name: string, head: TemplateHead): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    insert into workflow_template (name, display_name, icon, description, labels, annotations, latest_version)
    values (${name}, ${head.displayName}, ${head.icon}, ${head.description}, ${JSON.stringify(head.labels)}::jsonb,
      ${JSON.stringify(head.annotations)}::json, 1)
    on conflict (lower(name)) do nothing
    returning id`;
  return row?.id;
}

export async function updateTemplate(db: Queryable, id: string, head: TemplateHead, latestVersion: number): Promise<void> {
  await db`
    update workflow_template set display_name = ${head.displayName}, icon = ${head.icon}, description = ${head.description},
      labels = ${JSON.stringify(head.labels)}::jsonb, annotations = ${JSON.stringify(head.annotations)}::json, latest_version = ${latestVersion}
    where id = ${id}`;
}

export interface NewTemplateVersion {
  version: number;
  document: WorkflowDocument;
  author: string;
  reason: string;
}

export async function insertTemplateVersion(db: Queryable, templateId: string, version: NewTemplateVersion): Promise<void> {
  await db`
    insert into workflow_template_version (template_id, version, document, change_author, change_reason)
    values (${templateId}, ${version.version}, ${JSON.stringify(version.document)}::json, ${version.author}, ${version.reason})`;
}

/** The current version with that number is replaced: another row takes its place in the same transaction. */
export async function retireTemplateVersion(db: Queryable, templateId: string, version: number): Promise<void> {
  await db`
    update workflow_template_version set replaced_at = (select db_now())
    where template_id = ${templateId} and version = ${version} and replaced_at is null`;
}

/** With all its versions. */
export async function deleteTemplate(db: Queryable, id: string): Promise<void> {
  await db`delete from workflow_template where id = ${id}`;
}

export type TemplateChange = Pick<TemplateRow, "version" | "author" | "reason" | "changedAt">;

/** Of each current version, in order; empty if there is no such template. */
export async function listTemplateChanges(db: Queryable, ref: string): Promise<TemplateChange[]> {
  return db<TemplateChange[]>`
    select v.version, v.change_author as "author", v.change_reason as "reason", v.changed_at as "changedAt"
    from workflow_template t join workflow_template_version v on v.template_id = t.id and v.replaced_at is null
    where ${isReferenced(db, ref)} order by v.version`;
}

export interface TemplateFilter {
  /** All must match. */
  labels: Record<string, string>;
  /** Names or ids; undefined: all. */
  names: readonly string[] | undefined;
  /** In the name, the display name or the description. */
  search?: string | undefined;
}

const matches = (db: Queryable, { labels, names, search }: TemplateFilter) => db`
  t.labels @> ${JSON.stringify(labels)}::jsonb
  ${names === undefined ? db`` : db`and (lower(t.name) = any(${names.map((name) => name.toLowerCase())}) or t.id = any(${names.filter(isId)}::uuid[]))`}
  ${andNamesHave(db, search, db`t.name`, db`t.display_name`, db`left(t.description, 2000)`)}`;

export async function countTemplates(db: Queryable, filter: TemplateFilter): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from workflow_template t where ${matches(db, filter)}`;
  return row!.count;
}

/** A row of a page. The document is null if those before it in the page were too large together. */
export type ListedTemplate = Omit<TemplateRow, "document"> & { document: WorkflowDocument | null };

/** The latest versions by their date, ties by id. Documents beyond `maxBytes` in total are null, to limit the response. */
export async function listTemplates(
  db: Queryable,
  filter: TemplateFilter,
  page: { order: "ASC" | "DESC"; limit: number; offset: number; maxBytes: number },
): Promise<ListedTemplate[]> {
  const order = page.order === "ASC" ? db`v.changed_at, t.id` : db`v.changed_at desc, t.id desc`;
  return db<ListedTemplate[]>`
    select ${headColumns(db)}, case when sum(octet_length(v.document::text)) over (order by ${order}) <= ${page.maxBytes} then v.document end as document
    from (
      select t.id from workflow_template t
        join workflow_template_version v on v.template_id = t.id and v.version = t.latest_version and v.replaced_at is null
      where ${matches(db, filter)} order by ${order} limit ${page.limit} offset ${page.offset}) page
      join workflow_template t on t.id = page.id
      join workflow_template_version v on v.template_id = t.id and v.version = t.latest_version and v.replaced_at is null
    order by ${order}`;
}

/** The newest version of each of these global tasks, by name. */
export async function listLatestGlobalTasks(db: Queryable, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db<{ name: string; latestVersion: number }[]>`
    select name, latest_version as "latestVersion" from task
    where team_id is null and deleted_at is null and name = any(${[...names]})`;
  return new Map(rows.map((row) => [row.name, row.latestVersion]));
}

/** Records that this content of a shipped template was installed. */
export async function markTemplateShipped(db: Queryable, name: string, fingerprint: string): Promise<"first" | "newer" | "known"> {
  const [row] = await db<{ others: number }[]>`
    with marked as (insert into shipped_workflow_template (name, fingerprint) values (${name}, ${fingerprint}) on conflict do nothing returning 1)
    select (select count(*)::int from shipped_workflow_template where name = ${name}) as others from marked`;
  if (row === undefined) return "known";
  return row.others === 0 ? "first" : "newer";
}
