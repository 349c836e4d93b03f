import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Transaction } from "../database.ts";
import { type FunctionFile, functionsFolder, readFunctions, type Schema } from "./schema-files.ts";

/**
 * Installs the functions of the database. `function_file` has the hash of each applied file and the revision of the whole; a file is
 * applied if its hash differs. Nothing is done if the revision of the database is larger: its functions belong to a newer program, and an
 * older one must not overwrite them.
 *
 * Tables need functions (defaults, indexes, triggers), and functions need tables. So files are applied before the tables, with bodies that
 * are not checked until they run. A file whose first line is `-- after the tables` is applied after them: one that takes the row of a table
 * as a parameter, or whose body is a bare `return …` that reads tables, which PostgreSQL resolves at once.
 */
export async function listPendingFunctions(tx: Transaction, { functions, revision }: Schema): Promise<FunctionFile[]> {
  if ((await readRevision(tx)) > revision) return [];
  const rows = await tx<{ name: string; sha256: string }[]>`select name as "name", sha256 as "sha256" from function_file`;
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  return functions.filter(({ name, sha256 }) => applied.get(name) !== sha256);
}

export async function applyFunctions(tx: Transaction, files: readonly FunctionFile[]): Promise<void> {
  await tx`set local check_function_bodies = off`;
  for (const { name, sha256, sql } of files) {
    await tx.unsafe(sql);
    await tx`
      insert into function_file (name, sha256, revision) values (${name}, ${sha256}, 0)
      on conflict (name) do update set sha256 = excluded.sha256, applied_at = clock_timestamp()`;
  }
}

/** After all pending files: stores the revision of the functions, and forgets deleted files. */
export async function recordRevision(tx: Transaction, { functions, revision }: Schema): Promise<void> {
  if ((await readRevision(tx)) > revision) return;
  await tx`delete from function_file where name <> all(${functions.map(({ name }) => name)})`;
  await tx`update function_file set revision = ${revision} where revision <> ${revision}`;
}

async function readRevision(tx: Transaction): Promise<number> {
  const [row] = await tx<{ revision: number }[]>`select coalesce(max(revision), 0) as "revision" from function_file`;
  return row!.revision;
}

export const functionRevisionPath = "packages/server/src/store/functions/revision.json";

/**
 * The text of functions/revision.json: a number that is increased whenever the functions change. It tells a program whether the functions
 * of a database are older or newer than its own; a hash would only tell that they differ.
 */
export async function renderFunctionRevision(): Promise<string> {
  const all = createHash("sha256");
  for (const { name, sha256 } of await readFunctions()) all.update(`${name} ${sha256}\n`);
  const sha256 = all.digest("hex");
  const written = JSON.parse(await readFile(join(functionsFolder, "revision.json"), "utf8")) as { revision: number; sha256: string };
  const revision = written.sha256 === sha256 ? written.revision : written.revision + 1;
  return `${JSON.stringify({ revision, sha256 }, null, 2)}\n`;
}
