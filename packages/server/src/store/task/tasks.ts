import type { DefinitionType } from "@millrace/contract/status.ts";
import { type TaskSpec, type TaskStatus, taskStatuses } from "@millrace/contract/task/task.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../database/database.ts";
import { andNamesHave } from "../database/name-search.ts";

/** A task with one of its versions: the latest one by default. */
export interface TaskRow {
  id: string;
  /** Null: a global task. */
  teamId: string | null;
  name: string;
  type: DefinitionType;
  status: TaskStatus;
  verified: boolean;
  latestVersion: number;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  createdAt: Date;
  versionId: string;
  version: number;
  displayName: string;
  description: string | null;
  category: string | null;
  icon: string | null;
  /** Secrets in it are encrypted. */
  spec: TaskSpec;
  author: string | null;
  reason: string | null;
  changedAt: Date;
}

/** The team and the task: `teamId` null means the global one with that name or id. */
export interface TaskReference {
  teamId: string | null;
  ref: string;
}

const headColumns = (db: Queryable) => db`
  t.id, t.team_id as "teamId", t.name, t.type, t.status, t.verified, t.latest_version as "latestVersion", t.labels, t.annotations,
  t.created_at as "createdAt", v.id as "versionId", v.version, v.display_name as "displayName", v.description, v.category, v.icon,
  v.change_author as "author", v.change_reason as "reason", v.changed_at as "changedAt"`;

const taskColumns = (db: Queryable) => db`${headColumns(db)}, v.spec`;

/** Never `is not distinct from`, which no index supports. */
const isOwnedBy = (db: Queryable, teamId: string | null) => (teamId === null ? db`t.team_id is null` : db`t.team_id = ${teamId}`);

/** Names never have the form of an id, so a reference is unambiguous. */
const isReferenced = (db: Queryable, ref: string) => (isId(ref) ? db`t.id = ${ref}` : db`t.name = ${ref}`);

/** The task with its latest version. */
export async function findTask(db: Queryable, { teamId, ref }: TaskReference): Promise<TaskRow | undefined> {
  const [row] = await db<TaskRow[]>`
    select ${taskColumns(db)} from task t
      join task_version v on v.task_id = t.id and v.version = t.latest_version and v.replaced_at is null
    where ${isOwnedBy(db, teamId)} and ${isReferenced(db, ref)} and t.deleted_at is null`;
  return row;
}

/** The task with that version of it. */
export async function findTaskVersion(
  db: Queryable,
  { teamId, ref, version }: TaskReference & { version: number },
): Promise<TaskRow | undefined> {
  const [row] = await db<TaskRow[]>`
    select ${taskColumns(db)} from task t join task_version v on v.task_id = t.id and v.version = ${version} and v.replaced_at is null
    where ${isOwnedBy(db, teamId)} and ${isReferenced(db, ref)} and t.deleted_at is null`;
  return row;
}

export interface VersionDocument {
  /** Its original spec. */
  document: Record<string, unknown> | undefined;
  /** The whole text, with comments; undefined also if it came with a secret, or from an older version of the service. */
  text: string | undefined;
}

/** The definition document of that version, if it came as one. */
export async function findVersionDocument(db: Queryable, versionId: string): Promise<VersionDocument> {
  const [row] = await db<{ document: Record<string, unknown> | null; text: string | null }[]>`
    select document, document_text as text from task_version where id = ${versionId}`;
  return { document: row?.document ?? undefined, text: row?.text ?? undefined };
}

export interface TaskChange {
  version: number;
  author: string | null;
  reason: string | null;
  changedAt: Date;
}

/** Of each current version, in order; undefined if there is no such task. */
export async function listTaskChanges(db: Queryable, { teamId, ref }: TaskReference): Promise<TaskChange[] | undefined> {
  const rows = await db<TaskChange[]>`
    select v.version, v.change_author as "author", v.change_reason as "reason", v.changed_at as "changedAt"
    from task t join task_version v on v.task_id = t.id and v.replaced_at is null
    where ${isOwnedBy(db, teamId)} and ${isReferenced(db, ref)} and t.deleted_at is null order by v.version`;
  return rows.length > 0 ? rows : undefined;
}

/**
 * The task, locked until the transaction ends, without its versions: those must be read in a statement after this one, which
 * sees what the holder before us did. The strongest lock, because a save of a workflow holds the tasks that it uses
 * against exactly this one (`lockTasksForNodes`), so a use never appears between the look and the deletion or replacement.
 */
export async function lockTask(db: Queryable, { teamId, ref }: TaskReference): Promise<{ id: string } | undefined> {
  const [row] = await db<{ id: string }[]>`
    select t.id from task t where ${isOwnedBy(db, teamId)} and ${isReferenced(db, ref)} and t.deleted_at is null for update`;
  return row;
}

export interface NewTask {
  teamId: string | null;
  name: string;
  type: DefinitionType;
  status: TaskStatus;
  verified: boolean;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
}

/** Its id, or undefined if the name is taken: the unique index decides, so two concurrent creations result in one task. */
export async function insertTask(db: Queryable, task: NewTask): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    insert into task (team_id, name, type, status, verified, latest_version, labels, annotations)
    values (${task.teamId}, ${task.name}, ${task.type}, ${task.status}, ${task.verified}, 1,
      ${JSON.stringify(task.labels)}::jsonb, ${JSON.stringify(task.annotations)}::json)
    on conflict (team_id, name) where deleted_at is null do nothing
    returning id`;
  return row?.id;
}

/** What all versions share, and which of them is the latest. Under `lockTask`. */
export async function updateTask(
  db: Queryable,
  id: string,
  task: Pick<NewTask, "status" | "verified" | "labels" | "annotations"> & { latestVersion: number },
): Promise<void> {
  await db`
    update task set status = ${task.status}, verified = ${task.verified}, latest_version = ${task.latestVersion},
      labels = ${JSON.stringify(task.labels)}::jsonb, annotations = ${JSON.stringify(task.annotations)}::json
    where id = ${id}`;
}

export interface NewTaskVersion {
  version: number;
  displayName: string;
  description: string | null;
  category: string | null;
  icon: string | null;
  /** With encrypted secrets. */
  spec: TaskSpec;
  /** Undefined if the version did not come as a document. */
  document: Record<string, unknown> | undefined;
  /** The original document, if it contains no secret. */
  text?: string | undefined;
  author: string;
  reason: string;
}

export async function insertTaskVersion(db: Queryable, taskId: string, version: NewTaskVersion): Promise<string> {
  const document = version.document === undefined ? null : JSON.stringify(version.document);
  const [row] = await db<{ id: string }[]>`
    insert into task_version (task_id, version, display_name, description, category, icon, spec, document, document_text, change_author, change_reason)
    values (${taskId}, ${version.version}, ${version.displayName}, ${version.description}, ${version.category}, ${version.icon},
      ${JSON.stringify(version.spec)}::json, ${document}::json, ${version.text ?? null}, ${version.author}, ${version.reason})
    returning id`;
  return row!.id;
}

/**
 * Did the task ever have a version of that content, however long ago? Not for contents with secrets, which are encrypted with a new nonce each time.
 */
export async function isTaskVersionKnown(
  db: Queryable,
  taskId: string,
  content: Pick<NewTaskVersion, "displayName" | "description" | "category" | "icon" | "spec">,
): Promise<boolean> {
  const rows = await db`
    select 1 from task_version
    where task_id = ${taskId} and display_name = ${content.displayName} and description is not distinct from ${content.description}
      and category is not distinct from ${content.category} and icon is not distinct from ${content.icon}
      and spec::text = ${JSON.stringify(content.spec)} limit 1`;
  return rows.length > 0;
}

/** The current version with that number is replaced: another row takes its place in the same transaction. */
export async function retireTaskVersion(db: Queryable, taskId: string, version: number): Promise<void> {
  await db`
    update task_version set replaced_at = (select db_now())
    where task_id = ${taskId} and version = ${version} and replaced_at is null`;
}

/** Hides it. Its rows stay, because runs keep the versions that they were submitted with. */
export async function deleteTask(db: Queryable, teamId: string, id: string): Promise<void> {
  await db`update task set deleted_at = (select db_now()) where team_id = ${teamId} and id = ${id}`;
}

export interface TaskQuery {
  /** Teams that the caller may read; null asks for the global tasks. */
  teamIds: readonly string[] | null;
  labels: Record<string, string>;
  statuses: readonly TaskStatus[];
  /** Names or ids; undefined: all. */
  names: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  /** In the latest version, like the search, which covers the name, the display name and the description. */
  category?: string | undefined;
  search?: string | undefined;
  order: "ASC" | "DESC";
  limit: number;
  offset: number;
}

/** A row of a page. The spec is null if the specs before it in the page were too large together. */
export type ListedTask = Omit<TaskRow, "spec"> & { spec: TaskSpec | null };

/** By creation, ties by id. Specs beyond `maxBytes` in total are null, to limit the response. */
export async function listTasks(db: Queryable, query: TaskQuery, maxBytes: number): Promise<ListedTask[]> {
  const order = query.order === "ASC" ? db`t.created_at, t.id` : db`t.created_at desc, t.id desc`;
  return db<ListedTask[]>`
    select ${headColumns(db)}, case when sum(octet_length(v.spec::text)) over (order by ${order}) <= ${maxBytes} then v.spec end as spec
    from (select t.id from task t where ${matches(db, query)} order by ${order} limit ${query.limit} offset ${query.offset}) page
      join task t on t.id = page.id
      join task_version v on v.task_id = t.id and v.version = t.latest_version and v.replaced_at is null
    order by ${order}`;
}

export async function countTasks(db: Queryable, query: TaskQuery): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from task t where ${matches(db, query)}`;
  return row!.count;
}

/** A single team is compared with `=`, so that an index provides the order, too. */
const isOneOf = (db: Queryable, teamIds: readonly string[]) =>
  teamIds.length === 1 ? db`t.team_id = ${teamIds[0]!}` : db`t.team_id = any(${[...teamIds]}::uuid[])`;

/** The filter includes all values, so it can be left out. */
const isEvery = (statuses: readonly TaskStatus[]) => taskStatuses.every((status) => statuses.includes(status));

const matches = (db: Queryable, query: TaskQuery) => db`
  t.deleted_at is null
  and ${query.teamIds === null ? db`t.team_id is null` : isOneOf(db, query.teamIds)}
  ${isEvery(query.statuses) ? db`` : db`and t.status = any(${[...query.statuses]})`}
  ${Object.keys(query.labels).length > 0 ? db`and t.labels @> ${JSON.stringify(query.labels)}::jsonb` : db``}
  ${query.names === undefined ? db`` : db`and (t.name = any(${[...query.names]}) or t.id = any(${query.names.filter(isId)}::uuid[]))`}
  ${query.types?.length ? db`and t.type = any(${[...query.types]})` : db``}
  ${isAskedOfVersion(query) ? db`and exists (${matchingVersion(db, query)})` : db``}`;

const isAskedOfVersion = (query: TaskQuery) => Boolean(query.search || query.category);

const matchingVersion = (db: Queryable, query: TaskQuery) => db`
  select from task_version v
  where v.task_id = t.id and v.version = t.latest_version and v.replaced_at is null
    ${query.category ? db`and v.category = ${query.category}` : db``}
    ${andNamesHave(db, query.search, db`t.name`, db`v.display_name`, db`left(v.description, 2000)`)}`;
