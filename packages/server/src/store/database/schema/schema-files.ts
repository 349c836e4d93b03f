import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "../../../base/file/repository-root.ts";

/**
 * The schema as files:
 *
 *     migrations/base/*.sql         the initial schema of a new database, by subject: version 35
 *     migrations/0000NN-<what>.sql  the changes since then, in order, from 36 on
 *     store/functions/*.sql         the current functions of the database
 *
 * Tables are migrated step by step, so a released file never changes. A function has no state: its file is edited in place, and `migrate`
 * installs it.
 */
export interface Schema {
  base: { version: number; sql: readonly string[] };
  /** Those after the base, in order. */
  migrations: readonly Migration[];
  functions: readonly FunctionFile[];
  /** Of the functions as a whole; a larger one is newer (database-functions.ts). */
  revision: number;
}

export interface Migration {
  version: number;
  name: string;
  isBreaking: boolean;
  sql: string;
}

export interface FunctionFile {
  name: string;
  sha256: string;
  isAfterTables: boolean;
  sql: string;
}

/** The base equals the result of the first 35 migrations, so a database that applied them is in the same state. */
export const baseVersion = 35;
export const migrationsFolder = join(repositoryRoot, "packages/server/migrations");
export const functionsFolder = join(repositoryRoot, "packages/server/src/store/functions");

export async function readSchema(): Promise<Schema> {
  const { revision } = JSON.parse(await readFile(join(functionsFolder, "revision.json"), "utf8")) as { revision: number };
  const base = await readSqlFiles(join(migrationsFolder, "base"), /\.sql$/);
  return {
    base: { version: baseVersion, sql: base.map(({ sql }) => sql) },
    migrations: await readMigrations(),
    functions: await readFunctions(),
    revision,
  };
}

/** The schema that the program works with. */
export function newestVersion({ base, migrations }: Pick<Schema, "base" | "migrations">): number {
  return migrations.at(-1)?.version ?? base.version;
}

/** Throws if a number is missing or used twice. */
async function readMigrations(): Promise<Migration[]> {
  const files = await readSqlFiles(migrationsFolder, /^\d{6}-.*\.sql$/);
  return files.map(({ file, sql }, index) => {
    const version = Number(file.slice(0, 6));
    const expected = baseVersion + index + 1;
    if (version !== expected) throw new Error(`migration ${file} should have the number ${expected}`);
    return { version, name: file.slice(7, -4), isBreaking: /^-- breaking\b/.test(sql), sql };
  });
}

/** In the order of their names. */
export async function readFunctions(): Promise<FunctionFile[]> {
  return (await readSqlFiles(functionsFolder, /\.sql$/)).map(({ file, sql }) => functionFile(file.slice(0, -4), sql));
}

export function functionFile(name: string, sql: string): FunctionFile {
  return { name, sql, sha256: createHash("sha256").update(sql).digest("hex"), isAfterTables: /^-- after the tables\b/.test(sql) };
}

async function readSqlFiles(folder: string, pattern: RegExp): Promise<{ file: string; sql: string }[]> {
  const files = (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  return Promise.all(files.map(async (file) => ({ file, sql: await readFile(join(folder, file), "utf8") })));
}
