import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../../base/error/start-error.ts";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import type { Database, Transaction } from "./database.ts";
import { sqlState } from "./transaction.ts";

/**
 * The schema moves forward only, by numbered SQL files. Each runs in one transaction that first inserts the row of its version, so
 * of several processes that start at once one does the work and the others wait for it and find it done. A file whose first line is
 * `-- breaking` changes what older programs rely on: they refuse to start from then on. Everything else an older program tolerates.
 */
export interface Migration {
  version: number;
  name: string;
  isBreaking: boolean;
  sql: string;
}

export const migrationsFolder = join(repositoryRoot, "packages/server/migrations");

/** In their order. Throws when a number is missing or given twice. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{6}-.*\.sql$/.test(name)).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(file.slice(0, 6));
      if (version !== index + 1) throw new Error(`migration ${file} should have the number ${index + 1}`);
      const sql = await readFile(join(folder, file), "utf8");
      return { version, name: file.slice(7, -4), isBreaking: /^-- breaking\b/.test(sql), sql };
    }),
  );
}

/**
 * Brings the schema to the newest version this program knows, or to `upTo`, and makes the coming months' partitions.
 * @param sql straight to the server: a pooler's time limits do not fit a migration
 * @throws StartError when the schema belongs to a newer program that this one does not understand
 */
export async function migrate(sql: Database, options: { migrations?: Migration[]; upTo?: number } = {}): Promise<void> {
  const migrations = options.migrations ?? (await readMigrations());
  await createVersionTable(sql);
  await refuseNewerSchema(sql, migrations.length);
  const applied = await listAppliedVersions(sql);
  for (const migration of migrations) {
    if (migration.version > (options.upTo ?? Infinity) || applied.has(migration.version)) continue;
    await sql.begin((tx) => applyMigration(tx as Transaction, migration));
  }
  const [found] = await sql<{ exists: boolean }[]>`select to_regprocedure('ensure_partitions(int)') is not null as "exists"`;
  if (found?.exists) await sql`select ensure_partitions(2)`;
}

/** The highest version that was applied; 0 for an empty database. */
export async function readSchemaVersion(sql: Database): Promise<number> {
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('schema_migration') is not null as "exists"`;
  if (!table?.exists) return 0;
  const [row] = await sql<{ version: number }[]>`select coalesce(max(version), 0) as "version" from schema_migration`;
  return row!.version;
}

/** `if not exists` alone is not safe against another process at the same moment, so they queue. */
async function createVersionTable(sql: Database): Promise<void> {
  await sql
    .begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('millrace.migrate'))`;
      await tx`create table if not exists schema_migration (
      version int primary key, name text not null, is_breaking boolean not null, applied_at timestamptz(3) not null default clock_timestamp())`;
    })
    .catch((error: unknown) => {
      if (sqlState(error) !== "42501") throw error;
      throw new StartError(
        "The database user may not create tables: make it the owner of the database, or grant it CREATE on schema public",
        { cause: error },
      );
    });
}

async function refuseNewerSchema(sql: Database, known: number): Promise<void> {
  const [newer] = await sql<{ version: number; name: string }[]>`
    select version as "version", name as "name" from schema_migration where is_breaking and version > ${known} order by version limit 1`;
  if (!newer) return;
  throw new StartError(
    `The database was changed by a newer Millrace (schema ${newer.version}, ${newer.name}); this one knows up to ${known}. Use that version or a newer one`,
  );
}

async function listAppliedVersions(sql: Database): Promise<Set<number>> {
  const rows = await sql<{ version: number }[]>`select version as "version" from schema_migration`;
  return new Set(rows.map((row) => row.version));
}

/** The insert waits for another process that applies the same version, and then finds its row. */
async function applyMigration(tx: Transaction, { version, name, isBreaking, sql }: Migration): Promise<void> {
  await tx`set local statement_timeout = 0`;
  const inserted = await tx`
    insert into schema_migration (version, name, is_breaking) values (${version}, ${name}, ${isBreaking})
    on conflict (version) do nothing returning version as "version"`;
  if (inserted.length > 0) await tx.unsafe(sql);
}
