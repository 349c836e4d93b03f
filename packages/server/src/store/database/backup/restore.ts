import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { StartError } from "../../../base/error/start-error.ts";
import type { Database, Transaction } from "../database.ts";
import { migrate, readSchemaVersion } from "../schema/migrate.ts";
import { baseVersion, newestVersion, readSchema } from "../schema/schema-files.ts";
import { type BackupSummary, quote } from "./backup.ts";
import { type BackupHeader, BackupReader } from "./backup-format.ts";

/**
 * Restores a backup into an empty database: creates the schema that the backup was taken with, loads all rows in one transaction, and
 * migrates to the newest schema.
 * @param sql a pool without time limits for statements and transactions
 * @throws StartError if the database is not empty, or the file is damaged, of another product or of a newer version; then no row is written
 */
export async function restore(sql: Database, file: string): Promise<BackupSummary> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  const reader = new BackupReader(source.pipe(gunzip), file);
  try {
    const header = await reader.readHeader();
    await refuseUnknown(header, file);
    await refuseData(sql);
    await migrate(sql, { upTo: header.schemaVersion });
    const summary = await sql.begin((tx) => load(tx as Transaction, header, reader, file));
    await migrate(sql);
    await sql`analyze`;
    return summary as BackupSummary;
  } finally {
    source.destroy();
  }
}

async function refuseUnknown({ schemaVersion }: BackupHeader, file: string): Promise<void> {
  const known = newestVersion(await readSchema());
  if (schemaVersion > known) {
    throw new StartError(
      `${file} was created by a newer Millrace (schema ${schemaVersion}, this one knows up to ${known}); restore it with that version`,
    );
  }
  if (schemaVersion < baseVersion) {
    throw new StartError(
      `${file} was created before the first release (schema ${schemaVersion}, this Millrace starts at ${baseVersion}); restore it with the last version that has schema ${baseVersion}, and back up again`,
    );
  }
}

const emptyInstead = "set DATABASE_URL to an empty database, or MILLRACE_DATA_DIR to a new folder";

/** Rows that the migrations themselves write don't count as data. */
const filledByMigrations = ["schema_migration", "function_file", "partitioned_table", "instance"];

/**
 * @param remedy which other database to use
 * @throws StartError if the database contains data, of Millrace or of others
 */
export async function refuseData(sql: Database, remedy = emptyInstead): Promise<void> {
  const notEmpty = (why: string) =>
    new StartError(`The database is not empty (${why}), and existing data is never mixed with other data: ${remedy}`);
  const tables = await sql<{ name: string }[]>`
    select c.relname as "name" from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`;
  const isOurs = (await readSchemaVersion(sql)) > 0;
  if (!isOurs && tables.some(({ name }) => name !== "schema_migration")) throw notEmpty(`it has the table ${tables[0]!.name}`);
  for (const { name } of tables) {
    const isFilled = filledByMigrations.includes(name);
    const rows = await sql.unsafe(`select 1 from ${quote(name)} ${name === "instance" ? "where key_fingerprint is not null" : ""} limit 1`);
    if (rows.length > 0 && (!isFilled || name === "instance")) throw notEmpty(`its table ${name} has rows`);
  }
}

async function load(tx: Transaction, header: BackupHeader, reader: BackupReader, file: string): Promise<BackupSummary> {
  // A backup of an older program may contain it. The functions here are those of this program, which installs them again.
  await tx`delete from function_file`;
  await tx.unsafe(`truncate ${header.tables.map(({ name }) => quote(name)).join(", ")} cascade`);
  const references = await dropReferences(tx);
  for (const partition of header.partitions) await createPartition(tx, partition);
  // Rows that triggers wrote together with these are in the backup as well.
  for (const { name } of header.tables) await tx.unsafe(`alter table ${quote(name)} disable trigger user`);
  for (const { name, columns } of header.tables) await loadTable(tx, reader, name, columns);
  for (const { name } of header.tables) await tx.unsafe(`alter table ${quote(name)} enable trigger user`);
  const { rows } = await reader.readTrailer();
  for (const { name } of header.tables) await checkCount(tx, name, rows[name] ?? 0, file);
  for (const { table, column, value } of header.sequences) {
    await tx`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), ${value})`;
  }
  // Recreating them also proves that no row refers to a missing one.
  for (const { table, name, definition } of references) await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
  return { tables: header.tables.length, rows: Object.values(rows).reduce((sum, count) => sum + count, 0) };
}

/** Tables may refer to each other in a circle, so no loading order would work. */
async function dropReferences(tx: Transaction): Promise<{ table: string; name: string; definition: string }[]> {
  const references = await tx<{ table: string; name: string; definition: string }[]>`
    select n.conrelid::regclass::text as "table", quote_ident(n.conname) as "name", pg_get_constraintdef(n.oid) as "definition"
    from pg_constraint n
    where n.contype = 'f' and n.conparentid = 0 and n.connamespace = current_schema()::regnamespace`;
  for (const { table, name } of references) await tx.unsafe(`alter table ${table} drop constraint ${name}`);
  return [...references];
}

async function createPartition(tx: Transaction, { parent, name, from, to }: BackupHeader["partitions"][number]): Promise<void> {
  const [statement] = await tx<{ text: string; exists: boolean }[]>`
    select format('create table %I partition of %I for values from (%L) to (%L)', ${name}::text, ${parent}::text, ${from}::uuid, ${to}::uuid) as "text",
           to_regclass(quote_ident(${name})) is not null as "exists"`;
  if (!statement!.exists) await tx.unsafe(statement!.text);
}

async function loadTable(tx: Transaction, reader: BackupReader, name: string, columns: readonly string[]): Promise<void> {
  const target = await tx.unsafe(`copy ${quote(name)} (${columns.map(quote).join(", ")}) from stdin`).writable();
  await pipeline(Readable.from(reader.readTable()), target);
}

async function checkCount(tx: Transaction, name: string, expected: number, file: string): Promise<void> {
  const [row] = await tx.unsafe(`select count(*)::int8 as "count" from ${quote(name)}`);
  if (Number(row!.count) !== expected) throw new StartError(`${file} is damaged: ${row!.count} instead of ${expected} rows for ${name}`);
}
