import type { AbstractParam } from "@millrace/contract/common.ts";
import type { Queryable } from "../database/database.ts";
import { isOpenToTeam } from "../run/submissions.ts";

/** Names of the global parameters that the team may use. */
export async function listGlobalParameterNames(db: Queryable, teamId: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`select g.name from global_parameter g where ${isOpenToTeam(db, teamId)} order by g.name`;
  return rows.map(({ name }) => name);
}

/** Those that the team may use. Values of secrets are encrypted. */
export async function listTeamGlobalParameters(db: Queryable, teamId: string): Promise<AbstractParam[]> {
  const rows = await db<{ document: AbstractParam }[]>`
    select g.document from global_parameter g where ${isOpenToTeam(db, teamId)} order by g.name`;
  return rows.map(({ document }) => document);
}

/** By name. Values of secrets are encrypted, here and below. */
export async function listGlobalParameters(db: Queryable): Promise<AbstractParam[]> {
  const rows = await db<{ document: AbstractParam }[]>`select document from global_parameter order by name`;
  return rows.map(({ document }) => document);
}

/** The parameter, locked until the transaction ends, so that members which a change keeps don't change meanwhile. */
export async function lockGlobalParameter(db: Queryable, name: string): Promise<AbstractParam | undefined> {
  const [row] = await db<{ document: AbstractParam }[]>`select document from global_parameter where name = ${name} for update`;
  return row?.document;
}

/** @returns false if the name is taken: through the primary key, so two concurrent creations can't both get it */
export async function insertGlobalParameter(db: Queryable, parameter: AbstractParam): Promise<boolean> {
  const rows = await db`
    insert into global_parameter (name, document) values (${parameter.name}, ${JSON.stringify(parameter)}::json)
    on conflict (name) do nothing returning name`;
  return rows.length > 0;
}

/** Under `lockGlobalParameter`. */
export async function updateGlobalParameter(db: Queryable, parameter: AbstractParam): Promise<void> {
  await db`update global_parameter set document = ${JSON.stringify(parameter)}::json where name = ${parameter.name}`;
}

/** Removes the team from all lists of teams; a list that becomes empty stays one, and allows no team. */
export async function dropTeamFromGlobalParameters(db: Queryable, teamId: string): Promise<void> {
  const rows = await db<{ document: AbstractParam }[]>`
    select g.document from global_parameter g
    where g.document->'teams' is not null and ${teamId}::text in (select json_array_elements_text(g.document->'teams'))
    order by g.name for update`;
  for (const { document } of rows)
    await updateGlobalParameter(db, { ...document, teams: (document.teams ?? []).filter((id) => id !== teamId) });
}

/** The deleted parameter; undefined if there was none of that name. */
export async function deleteGlobalParameter(db: Queryable, name: string): Promise<AbstractParam | undefined> {
  const [row] = await db<{ document: AbstractParam }[]>`delete from global_parameter where name = ${name} returning document`;
  return row?.document;
}
