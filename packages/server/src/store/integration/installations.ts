import type { Queryable } from "../database/database.ts";

/**
 * Installations of the codehost's app, and which teams are linked to them. An installation is not a team's own, so some statements here go
 * over teams; what they find is only handed on after a check of the caller's rights.
 */

export interface InstallationRow {
  id: string;
  /** The platform's number of it. */
  ref: string;
  /** The platform's installation object. */
  data: Record<string, unknown>;
  repositories: string[];
  status: "active" | "suspended";
  /** It was created within the last hour. */
  isNew: boolean;
}

const columns = (db: Queryable) =>
  db`i.id, i.ref, i.data, i.repositories, i.status, coalesce(i.linkable_until > (select db_now()), false) as "isNew"`;

/** @param ref the platform's number, or the id of the record */
export async function findInstallation(db: Queryable, ref: string): Promise<InstallationRow | undefined> {
  const [row] = await db<InstallationRow[]>`
    select ${columns(db)} from installation i where i.type = 'codehost_app' and (i.ref = ${ref} or i.id::text = ${ref.toLowerCase()})`;
  return row;
}

/** The installation that the team was linked to last. */
export async function findInstallationOfTeam(db: Queryable, teamId: string): Promise<InstallationRow | undefined> {
  const [row] = await db<InstallationRow[]>`
    select ${columns(db)} from team_installation t join installation i on i.id = t.installation_id
    where t.team_id = ${teamId} order by t.created_at desc, i.id desc limit 1`;
  return row;
}

/** That installation, if the team is linked to it. @param ref the platform's number */
export async function findLinkedInstallation(db: Queryable, teamId: string, ref: string): Promise<InstallationRow | undefined> {
  const [row] = await db<InstallationRow[]>`
    select ${columns(db)} from team_installation t join installation i on i.id = t.installation_id
    where t.team_id = ${teamId} and i.type = 'codehost_app' and i.ref = ${ref}`;
  return row;
}

/** Teams that are linked to the installation and not deleted. */
export async function listLinkedTeams(db: Queryable, installationId: string): Promise<string[]> {
  const rows = await db<{ teamId: string }[]>`
    select t.team_id as "teamId" from team_installation t join team on team.id = t.team_id
    where t.installation_id = ${installationId} and team.deleted_at is null order by t.team_id`;
  return rows.map((row) => row.teamId);
}

export interface InstallationChange {
  ref: string;
  data: Record<string, unknown>;
  status: "active" | "suspended";
  /** All of them; undefined: unchanged. */
  repositories: string[] | undefined;
  /** When the installation was created; undefined: not known. Only the first report counts. */
  madeAt: "now" | Date | undefined;
}

/** Records the installation, or its changes. Links stay. */
export async function saveInstallation(db: Queryable, news: InstallationChange): Promise<InstallationRow> {
  const repositories = news.repositories ?? null;
  const madeAt = news.madeAt === "now" ? db`(select db_now())` : db`${news.madeAt ?? null}::timestamptz`;
  const [row] = await db<InstallationRow[]>`
    insert into installation as i (type, ref, data, repositories, status, linkable_until)
    values ('codehost_app', ${news.ref}, ${JSON.stringify(news.data)}::json, coalesce(${repositories}::text[], '{}'), ${news.status},
      ${madeAt} + interval '1 hour')
    on conflict (type, ref) do update set data = excluded.data, status = excluded.status, changed_at = (select db_now()),
      repositories = coalesce(${repositories}::text[], i.repositories), linkable_until = coalesce(i.linkable_until, excluded.linkable_until)
    returning ${columns(db)}`;
  return row!;
}

/** Adds and removes repositories. Does nothing if it is not recorded. */
export async function changeRepositories(db: Queryable, ref: string, added: string[], removed: string[]): Promise<void> {
  await db`
    update installation set changed_at = (select db_now()), repositories = array(
      select distinct name from unnest(repositories || ${added}::text[]) as name where name <> all(${removed}::text[]) order by name)
    where type = 'codehost_app' and ref = ${ref}`;
}

/** Deletes the record with all its links. Undefined if there was none. */
export async function deleteInstallation(db: Queryable, ref: string): Promise<InstallationRow | undefined> {
  const [row] = await db<InstallationRow[]>`
    delete from installation i where i.type = 'codehost_app' and i.ref = ${ref} returning ${columns(db)}`;
  return row;
}

/** The next request that links it waits until this transaction ends. False if it no longer exists. */
export async function lockInstallation(db: Queryable, id: string): Promise<boolean> {
  return (await db`select id from installation where id = ${id} for no key update`).length > 0;
}

/** False if the team was linked already. */
export async function linkInstallation(db: Queryable, teamId: string, installationId: string): Promise<boolean> {
  const rows = await db`
    insert into team_installation (team_id, installation_id) values (${teamId}, ${installationId})
    on conflict (team_id, installation_id) do nothing returning team_id`;
  return rows.length > 0;
}

/** Of this team only. False if it was not linked. */
export async function unlinkInstallation(db: Queryable, teamId: string, installationId: string): Promise<boolean> {
  const rows = await db`
    delete from team_installation where team_id = ${teamId} and installation_id = ${installationId} returning team_id`;
  return rows.length > 0;
}
