import { EnvelopeError, envelopeKeyId, readEnvelopeText } from "../../base/secret/envelope.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { type SealedColumn, sealedColumns, sealedTexts } from "../../core/secret/sealed-columns.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { getStoredKeys, lockKey, rememberKeys, retireKey } from "../../store/secret/encryption-keys.ts";
import { countSealedRows, lockSealedRows, type SealedRow, updateSealedRows } from "../../store/secret/sealed-rows.ts";
import { refuseRetired } from "./check-encryption-keys.ts";

/**
 * Reseals everything with the first key of the keyring while the service runs: in small batches, each a transaction of its own that locks
 * its rows in the order of their keys. It can be stopped and restarted at any moment, and several can run at once: finished work stays.
 *
 * A key is retired when nothing refers to it any more. That is decided under a lock that waits for everyone who has sealed with it, and
 * from then on the database refuses values that refer to it. Only then the instance's fingerprint changes.
 */

export interface KeyReport {
  keyId: string;
  /** Rows that were resealed. */
  resealed: number;
  /** Rows that still refer to it, by column: its key is missing, or they can't be decrypted. Empty: it is retired. */
  left: { place: string; rows: number }[];
  /** The first few rows that can't be decrypted although the key exists, and why. */
  unreadable: string[];
}

interface ResealProgress {
  keyId: string;
  /** `table.column` */
  place: string;
  done: number;
  total: number;
}

interface ResealOptions {
  /** After each batch, with no lock held. */
  onProgress?(progress: ResealProgress): void | Promise<void>;
  /** Rows per transaction. */
  batchSize?: number;
}

/** Values that others write in the meantime need another pass. If this doesn't end, a process still seals with the old key. */
const maxPasses = 10;

/** @throws StartError if the first key is retired: other processes may not have it any more */
export async function resealSecrets(sql: Database, keyring: Keyring, options: ResealOptions = {}): Promise<KeyReport[]> {
  const first = keyring.fingerprint();
  await rememberKeys(sql, keyring.ids());
  const stored = await getStoredKeys(sql);
  refuseRetired(stored, first);
  const { fingerprint, inUse } = stored;
  const old = new Set([...inUse.map(({ keyId }) => keyId), ...(fingerprint === null ? [] : [fingerprint])]);
  old.delete(first);
  const reports: KeyReport[] = [];
  for (const keyId of old) reports.push(await resealKey(sql, keyring, keyId, options));
  return reports;
}

async function resealKey(sql: Database, keyring: Keyring, keyId: string, options: ResealOptions): Promise<KeyReport> {
  const report: KeyReport = { keyId, resealed: 0, left: [], unreadable: [] };
  for (let pass = 1; pass <= maxPasses; pass++) {
    const before = report.resealed;
    report.unreadable = [];
    if (keyring.has(keyId)) for (const column of sealedColumns) await resealColumn(sql, keyring, column, report, options);
    report.left = await retireIfUnused(sql, keyId, keyring.fingerprint());
    const isStuck = report.resealed === before && report.unreadable.length > 0;
    if (report.left.length === 0 || isStuck || !keyring.has(keyId)) break;
  }
  return report;
}

async function resealColumn(
  sql: Database,
  keyring: Keyring,
  column: SealedColumn,
  report: KeyReport,
  { onProgress, batchSize = 100 }: ResealOptions,
): Promise<void> {
  const { keyId } = report;
  const place = placeName(column);
  const total = await countSealedRows(sql, column, keyId);
  let done = 0;
  for (let after: readonly string[] | undefined; done < total; ) {
    const batch = await transaction(sql, async (tx) => {
      const rows = await lockSealedRows(tx, column, keyId, { after, limit: batchSize });
      const read = rows.map((row) => resealRow(keyring, column, row, keyId));
      const opened = read.flatMap(({ resealed }) => resealed ?? []);
      await updateSealedRows(tx, column, opened);
      return { last: rows.at(-1), count: rows.length, opened: opened.length, problems: read.flatMap(({ problem }) => problem ?? []) };
    });
    if (batch.last === undefined) break;
    after = batch.last.key;
    done += batch.count;
    report.resealed += batch.opened;
    report.unreadable.push(...batch.problems.slice(0, 10 - report.unreadable.length));
    await onProgress?.({ keyId, place, done, total: Math.max(total, done) });
  }
}

function resealRow(keyring: Keyring, column: SealedColumn, row: SealedRow, keyId: string): { resealed?: SealedRow; problem?: string } {
  try {
    return { resealed: { ...row, content: resealContent(keyring, column, row, keyId) } };
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    return { problem: `${placeName(column)} of the row ${row.key.join(", ")}: ${error.message}` };
  }
}

/** Returns what still refers to the key. If nothing does, the key is retired. */
async function retireIfUnused(sql: Database, keyId: string, next: string): Promise<KeyReport["left"]> {
  return transaction(sql, async (tx) => {
    await lockKey(tx, keyId);
    const left: KeyReport["left"] = [];
    for (const column of sealedColumns) {
      const rows = await countSealedRows(tx, column, keyId);
      if (rows > 0) left.push({ place: placeName(column), rows });
    }
    if (left.length === 0) await retireKey(tx, keyId, next);
    return left;
  });
}

function placeName({ table, column }: SealedColumn): string {
  return `${table}.${column}`;
}

/**
 * The content of a column with everything that one key has sealed resealed by the first key. The rest stays byte for byte the same:
 * documents are changed as text, because parsing and writing them could change numbers and the order of members.
 *
 * @throws EnvelopeError if a value can't be decrypted
 */
function resealContent(keyring: Keyring, column: SealedColumn, row: SealedRow, keyId: string): string {
  const place = column.placeOf(row.placeParts);
  if (column.shape === "bytes") return hex(keyring.seal(keyring.open(Buffer.from(row.content, "hex"), place), place));
  let content = row.content;
  for (const sealed of sealedTexts(column.shape, content)) {
    if (envelopeKeyId(readEnvelopeText(sealed)) !== keyId) continue;
    content = content.replaceAll(sealed, keyring.sealText(keyring.openText(sealed, place), place));
  }
  return content;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
