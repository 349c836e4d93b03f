import { StartError } from "../../../base/error/start-error.ts";
import type { Database, Transaction } from "../database.ts";
import { sqlState } from "../database-error.ts";
import { applyFunctions, listPendingFunctions, recordRevision } from "./database-functions.ts";
import { type Migration, newestVersion, readSchema, type Schema } from "./schema-files.ts";

/**
 * Migrates tables and functions to the state of this program. All of it is one transaction under one lock: if several processes start at
 * once, one does the work while the others wait and find it done, no process ever sees new functions with old tables, and a killed start
 * leaves nothing behind.
 *
 * The order: functions (database-functions.ts), tables, and the few functions that need tables first.
 *
 * The schema only moves forward. A migration whose first line is `-- breaking` changes what older programs rely on, in tables or in
 * functions: they refuse to start from then on. Older programs tolerate every other change (docs/adr/0041).
 */

/**
 * Also creates the partitions of the coming months.
 * @param sql directly to the server: a pooler's time limits do not fit a migration
 * @param options.upTo leaves out later migrations, and with them the functions that come after the tables
 * @throws StartError if the schema belongs to a newer program that is incompatible with this one, or is older than the base
 */
export async function migrate(sql: Database, options: { schema?: Schema; upTo?: number } = {}): Promise<void> {
  const schema = options.schema ?? (await readSchema());
  await sql.begin((tx) => bringUp(tx as Transaction, schema, options.upTo ?? Infinity)).catch(explainMissingRight);
  const [found] = await sql<{ exists: boolean }[]>`select to_regprocedure('ensure_partitions(int)') is not null as "exists"`;
  if (found?.exists) await sql`select ensure_partitions(2)`;
}

async function bringUp(tx: Transaction, schema: Schema, upTo: number): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`select pg_advisory_xact_lock(hashtext('millrace.migrate'))`;
  await createRecords(tx);
  const applied = await listAppliedVersions(tx);
  refuseNewerSchema(applied, newestVersion(schema));
  refuseOlderThanBase(applied, schema.base.version);
  const functions = await listPendingFunctions(tx, schema);
  await applyFunctions(
    tx,
    functions.filter(({ isAfterTables }) => !isAfterTables),
  );
  if (applied.length === 0) await applyBase(tx, schema.base);
  const known = new Set(applied.map(({ version }) => version));
  for (const migration of schema.migrations) {
    if (migration.version <= upTo && !known.has(migration.version)) await applyMigration(tx, migration);
  }
  if (upTo >= newestVersion(schema)) {
    await applyFunctions(
      tx,
      functions.filter(({ isAfterTables }) => isAfterTables),
    );
  }
  await recordRevision(tx, schema);
}

/** The highest applied version; 0 for an empty database. */
export async function readSchemaVersion(sql: Database): Promise<number> {
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('schema_migration') is not null as "exists"`;
  if (!table?.exists) return 0;
  const [row] = await sql<{ version: number }[]>`select coalesce(max(version), 0) as "version" from schema_migration`;
  return row!.version;
}

/** In milliseconds since 1970, by the database's clock; also works in an empty database, which has none of our functions. */
export async function readDatabaseTime(sql: Database): Promise<number> {
  const [row] = await sql<{ ms: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as "ms"`;
  return row!.ms;
}

async function createRecords(tx: Transaction): Promise<void> {
  await tx`create table if not exists schema_migration (
    version int primary key, name text not null, is_breaking boolean not null, applied_at timestamptz(3) not null default clock_timestamp())`;
  await tx`create table if not exists function_file (
    name text primary key, sha256 text not null, revision int not null, applied_at timestamptz(3) not null default clock_timestamp())`;
}

type AppliedVersion = Pick<Migration, "version" | "name" | "isBreaking">;

async function listAppliedVersions(tx: Transaction): Promise<AppliedVersion[]> {
  return tx<AppliedVersion[]>`
    select version as "version", name as "name", is_breaking as "isBreaking" from schema_migration order by version`;
}

function refuseNewerSchema(applied: readonly AppliedVersion[], known: number): void {
  const newer = applied.find(({ version, isBreaking }) => isBreaking && version > known);
  if (!newer) return;
  throw new StartError(
    `The database was changed by a newer Millrace (schema ${newer.version}, ${newer.name}); this one knows up to ${known}. Use that version or a newer one`,
  );
}

/** The name of the last migration before the base, and what `applyBase` records instead. */
const namesOfBase = ["lineage", "base"];

/** There was no release before the base, so an older schema can only be migrated by the last program that knew its migrations. */
function refuseOlderThanBase(applied: readonly AppliedVersion[], base: number): void {
  if (base === 0 || applied.length === 0) return;
  const found = applied.at(-1)!;
  if (found.version < base) {
    throw new StartError(
      `The database has schema ${found.version}, from before the first release; this Millrace can take over schema ${base} and newer. ` +
        `Start the last version with schema ${base} on it once, then this one`,
    );
  }
  const recorded = applied.find(({ version }) => version === base);
  if (recorded && namesOfBase.includes(recorded.name)) return;
  throw new StartError(
    `The database records schema ${base} as ${recorded?.name ?? "missing"}, which is not a schema of Millrace: set DATABASE_URL to another database`,
  );
}

/**
 * Records every migration up to the base as applied, so that programs from before the base find nothing to do. Older programs than those
 * are refused.
 */
async function applyBase(tx: Transaction, { version, sql }: Schema["base"]): Promise<void> {
  for (const statements of sql) await tx.unsafe(statements);
  await tx`
    insert into schema_migration (version, name, is_breaking)
    select v, 'base', v = ${version} from generate_series(1, ${version}) v`;
}

async function applyMigration(tx: Transaction, { version, name, isBreaking, sql }: Migration): Promise<void> {
  await tx.unsafe(sql);
  await tx`insert into schema_migration (version, name, is_breaking) values (${version}, ${name}, ${isBreaking})`;
}

function explainMissingRight(error: unknown): never {
  if (sqlState(error) !== "42501") throw error;
  throw new StartError("The database user can't create tables: make it the owner of the database, or grant it CREATE on schema public", {
    cause: error,
  });
}
