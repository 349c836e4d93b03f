import type { KeyColumn, SealedColumn } from "../../core/secret/sealed-columns.ts";
import type { Queryable, Transaction } from "../database/database.ts";

/**
 * Rows of any table with values sealed by one key, for resealing them all. Names of tables and columns are constants of
 * core/secret/sealed-columns.ts. Runs are found by the index run_sealed; in the other tables each batch continues where the last one ended.
 */

export interface SealedRow {
  /** Of the primary key. */
  key: string[];
  placeParts: (string | null)[];
  /** Unchanged text; bytes in hex. */
  content: string;
}

/** Locks a batch in the order of the primary key, so that it can't deadlock with the engine or with another batch. */
export async function lockSealedRows(
  tx: Transaction,
  column: SealedColumn,
  keyId: string,
  { after, limit }: { after: readonly string[] | undefined; limit: number },
): Promise<SealedRow[]> {
  const names = namesOf(column.key);
  const from = column.key.map(({ type }, index) => `$${index + 2}::${type}`).join(", ");
  const rows = await tx.unsafe<SealedRow[]>(
    `select array[${column.key.map(({ name }) => `${name}::text`).join(", ")}] as "key",
            json_build_array(${column.placeParts.join(", ")}) as "placeParts",
            ${contentOf(column)} as "content"
     from ${column.table}
     where ${namesKey(column)} ${after === undefined ? "" : `and (${names}) > (${from})`}
     order by ${names} limit ${limit} for no key update of ${column.table}`,
    [keyId, ...(after ?? [])],
  );
  return [...rows];
}

/** Rows that this transaction has locked. */
export async function updateSealedRows(tx: Transaction, column: SealedColumn, rows: readonly SealedRow[]): Promise<void> {
  const { table, key, shape } = column;
  const arrays = key.map(({ type }, index) => `$${index + 2}::${type}[]`).join(", ");
  const type = { text: "u.content", bytes: "decode(u.content, 'hex')" }[shape as string] ?? "u.content::json";
  await tx.unsafe(
    `update ${table} set ${column.column} = ${type}
     from unnest($1::text[], ${arrays}) as u (content, ${key.map((_, index) => `k${index}`).join(", ")})
     where ${key.map(({ name }, index) => `${table}.${name} = u.k${index}`).join(" and ")}`,
    [rows.map(({ content }) => content), ...key.map((_, index) => rows.map((row) => row.key[index] as string))],
  );
}

export async function countSealedRows(db: Queryable, column: SealedColumn, keyId: string): Promise<number> {
  const [row] = await db.unsafe<{ count: number }[]>(`select count(*)::int as "count" from ${column.table} where ${namesKey(column)}`, [
    keyId,
  ]);
  return row!.count;
}

function namesKey({ table, column, shape }: SealedColumn): string {
  if (shape === "bytes") return `${table}.${column} is not null and sealed_bytes_key(${table}.${column}) = $1::text`;
  return `$1::text = any(sealed_keys(${table}.${column}::text, '${shape}'))`;
}

function contentOf({ table, column, shape }: SealedColumn): string {
  return shape === "bytes" ? `encode(${table}.${column}, 'hex')` : `${table}.${column}::text`;
}

function namesOf(key: readonly KeyColumn[]): string {
  return key.map(({ name }) => name).join(", ");
}
