import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { repositoryRoot } from "../../../base/file/repository-root.ts";

/**
 * The schema as files:
 *
 *     migrations/base/*.sql         what a new database begins with, by subject; the schema of version 35
 *     migrations/0000NN-<what>.sql  what has changed since, in order, from 36 on
 *     store/functions/*.sql         the functions of the database as they are now
 *
 * Tables move forward by steps, so a file that was released never changes. A function has no state: its file is changed where it
 * stands, and `migrate` puts it in place.
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

/** The base is what the first 35 migrations once made, so a database that went through them is at the same place. */
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

/** Throws when a number is missing or given twice. */
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
