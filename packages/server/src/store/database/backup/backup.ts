import { createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip, type Gzip } from "node:zlib";
import { StartError } from "../../../base/error/start-error.ts";
import type { Database, Transaction } from "../database.ts";
import { readSchemaVersion } from "../schema/migrate.ts";
import { type BackupHeader, backupFormat, writeChunk, writeHeader } from "./backup-format.ts";

export interface BackupSummary {
  tables: number;
  rows: number;
}

/**
 * Writes all rows as they are at one moment into a new file, while others continue working.
 * @param sql a pool without a limit of time for statements and transactions
 * @throws StartError when there is nothing to save, or the file exists or can't be written
 */
export async function backUp(sql: Database, file: string): Promise<BackupSummary> {
  if (existsSync(file)) throw new StartError(`${file} exists already; give the backup another name`);
  const schemaVersion = await readSchemaVersion(sql);
  if (schemaVersion === 0) throw new StartError("There is nothing to back up: the database has no data of Millrace");
  const draft = `${file}.${process.pid}.part`;
  try {
    const summary = await sql.begin("isolation level repeatable read read only", (tx) =>
      writeFile(tx as Transaction, draft, schemaVersion),
    );
    await rename(draft, file);
    return summary as BackupSummary;
  } catch (error) {
    await rm(draft, { force: true });
    throw explainFileError(error, file);
  }
}

async function writeFile(tx: Transaction, draft: string, schemaVersion: number): Promise<BackupSummary> {
  const gzip = createGzip({ level: 6 });
  const written = pipeline(gzip, createWriteStream(draft, { mode: 0o600, flags: "wx" }));
  // Awaited below; until then a full disk must not end the process.
  written.catch(() => {});
  const rows = await Promise.race([writeAll(tx, gzip, schemaVersion), written.then(() => ({}) as Record<string, number>)]);
  gzip.end();
  await written;
  await flush(draft);
  return { tables: Object.keys(rows).length, rows: Object.values(rows).reduce((sum, count) => sum + count, 0) };
}

async function writeAll(tx: Transaction, gzip: Gzip, schemaVersion: number): Promise<Record<string, number>> {
  const header = await readHeader(tx, schemaVersion);
  const rows: Record<string, number> = {};
  await writeHeader(gzip, header);
  for (const { name, columns } of header.tables) rows[name] = await copyTable(tx, gzip, name, columns);
  await writeChunk(gzip, Buffer.from(JSON.stringify({ rows })));
  return rows;
}

/** A whole partitioned table can only be copied as a query. Returns the number of rows; a line break in a value is escaped. */
async function copyTable(tx: Transaction, gzip: Gzip, name: string, columns: readonly string[]): Promise<number> {
  const list = columns.map(quote).join(", ");
  const stream = await tx.unsafe(`copy (select ${list} from ${quote(name)}) to stdout`).readable();
  let rows = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
    await writeChunk(gzip, chunk);
  }
  await writeChunk(gzip, Buffer.alloc(0));
  return rows;
}

async function readHeader(tx: Transaction, schemaVersion: number): Promise<BackupHeader> {
  return {
    format: backupFormat,
    createdAt: new Date().toISOString(),
    schemaVersion,
    tables: await listTables(tx),
    partitions: await listPartitions(tx),
    sequences: await listSequences(tx),
  };
}

/**
 * Without the tables of versions and functions, which `restore` fills by migrating, and without the state of the removal of history:
 * restored data is kept for at least a day, as after an upgrade.
 */
async function listTables(tx: Transaction): Promise<BackupHeader["tables"]> {
  const rows = await tx<BackupHeader["tables"]>`
    select c.relname as "name",
           (select json_agg(a.attname order by a.attnum) from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as "columns"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('schema_migration', 'function_file', 'history_removal')
    order by c.relname`;
  return rows.map(({ name, columns }) => ({ name, columns }));
}

async function listPartitions(tx: Transaction): Promise<BackupHeader["partitions"]> {
  const rows = await tx<{ parent: string; name: string; bound: string }[]>`
    select p.relname as "parent", c.relname as "name", pg_get_expr(c.relpartbound, c.oid) as "bound"
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    order by c.relname`;
  return rows.flatMap(({ parent, name, bound }) => {
    const range = /^FOR VALUES FROM \('([0-9a-f-]{36})'\) TO \('([0-9a-f-]{36})'\)$/.exec(bound);
    return range ? [{ parent, name, from: range[1]!, to: range[2]! }] : [];
  });
}

async function listSequences(tx: Transaction): Promise<BackupHeader["sequences"]> {
  const rows = await tx<{ table: string; column: string; value: number | null }[]>`
    select c.relname as "table", a.attname as "column", s.last_value as "value"
    from pg_sequences s
    join pg_depend d on d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass and d.classid = 'pg_class'::regclass and d.deptype in ('i', 'a')
    join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    where s.schemaname = current_schema()
    order by c.relname, a.attname`;
  return rows.flatMap(({ table, column, value }) => (value === null ? [] : [{ table, column, value }]));
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

function explainFileError(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new StartError(`${file} cannot be written (${code})`, { cause: error });
}
