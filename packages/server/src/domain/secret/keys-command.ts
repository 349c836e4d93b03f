import { StartError } from "../../base/error/start-error.ts";
import { dbCommand } from "../../base/file/repository-root.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { sealedColumns } from "../../core/secret/sealed-columns.ts";
import type { Database } from "../../store/database/database.ts";
import { readSchemaVersion } from "../../store/database/schema/migrate.ts";
import { newestVersion, readSchema } from "../../store/database/schema/schema-files.ts";
import { countOpenRuns, forgetKey, getStoredKeys } from "../../store/secret/encryption-keys.ts";
import { countSealedRows } from "../../store/secret/sealed-rows.ts";
import { type KeyReport, resealSecrets } from "./reseal-secrets.ts";

/** `npm run db -- keys …`: shows what each encryption key seals, reseals everything with the first key, and gives up a lost key. */

const verbs = ["status", "reseal", "forget"] as const;
export type KeysVerb = (typeof verbs)[number];

export function isKeysVerb(verb: string): verb is KeysVerb {
  return (verbs as readonly string[]).includes(verb);
}

export interface KeysOptions {
  /** Of `forget`. */
  keyId: string | undefined;
  print(line: string): void;
}

/**
 * @param sql a pool without a statement timeout
 * @returns the last line of output
 * @throws StartError if it is impossible, or was not completed
 */
export async function keysCommand(sql: Database, keyring: Keyring, verb: KeysVerb, { keyId, print }: KeysOptions): Promise<string> {
  await requireSchema(sql);
  if (verb === "status") return (await describeKeys(sql, keyring)).join("\n");
  if (verb === "forget") return forget(sql, keyring, keyId ?? "");
  return reseal(sql, keyring, print);
}

/** A command does not change a database that the service has not migrated. @throws StartError */
export async function requireSchema(sql: Database): Promise<void> {
  const [version, known] = [await readSchemaVersion(sql), newestVersion(await readSchema())];
  if (version >= known) return;
  throw new StartError(`The database has schema ${version}, but this command needs ${known}: start the service once, then repeat it`);
}

async function describeKeys(sql: Database, keyring: Keyring): Promise<string[]> {
  const { fingerprint, inUse, retired, forgotten } = await getStoredKeys(sql);
  const ids = new Set([...keyring.ids(), ...(fingerprint ? [fingerprint] : []), ...inUse.map((one) => one.keyId), ...forgotten]);
  const lines: string[] = [];
  for (const id of ids) {
    const role = id === keyring.fingerprint() ? "configured, seals" : keyring.has(id) ? "configured, opens" : "not configured";
    const words = [
      role,
      id === fingerprint && "key of this instance",
      retired.includes(id) && "retired",
      forgotten.includes(id) && "forgotten",
    ];
    const used = (await countAll(sql, id)).map(({ place, rows }) => `${rows} in ${place}`);
    lines.push(`key ${id}: ${words.filter(Boolean).join(", ")}; ${used.length === 0 ? "not used" : `used by: ${used.join(", ")}`}`);
  }
  return lines;
}

async function countAll(sql: Database, keyId: string): Promise<KeyReport["left"]> {
  const counts: KeyReport["left"] = [];
  for (const column of sealedColumns) {
    const rows = await countSealedRows(sql, column, keyId);
    if (rows > 0) counts.push({ place: `${column.table}.${column.column}`, rows });
  }
  return counts;
}

/** At most one line per second, and one at the end of each column. */
const progressMs = 1000;

async function reseal(sql: Database, keyring: Keyring, print: KeysOptions["print"]): Promise<string> {
  const first = keyring.fingerprint();
  const reports = await resealAll(sql, keyring, print);
  const openRuns = reports.length === 0 ? 0 : await countOpenRuns(sql);
  if (openRuns > 0)
    print(
      `${openRuns} runs are still open: their callback URLs are signed with the key in use when they were submitted, and are rejected once that key is removed`,
    );
  return reports.length === 0
    ? `everything is encrypted with key ${first}`
    : `everything is encrypted with key ${first}; the other keys can be removed`;
}

/** Prints at most one line per second. @throws StartError if something still refers to another key than the first */
export async function resealAll(sql: Database, keyring: Keyring, print: KeysOptions["print"]): Promise<KeyReport[]> {
  let printedAt = 0;
  const reports = await resealSecrets(sql, keyring, {
    onProgress({ keyId, place, done, total }) {
      if (done < total && performance.now() - printedAt < progressMs) return;
      printedAt = performance.now();
      print(`key ${keyId}: ${place} ${done} of ${total} rows`);
    },
  });
  const first = keyring.fingerprint();
  for (const report of reports) for (const line of describeReport(report, first)) print(line);
  const unfinished = reports.filter(({ left }) => left.length > 0);
  if (unfinished.length > 0) throw new StartError(whyUnfinished(unfinished, keyring));
  return reports;
}

function describeReport({ keyId, resealed, left, unreadable }: KeyReport, first: string): string[] {
  const done = `key ${keyId}: ${resealed} rows encrypted again with ${first}`;
  const rest = left.map(({ place, rows }) => `key ${keyId}: ${rows} rows left in ${place}`);
  return [done, ...unreadable, ...(left.length === 0 ? [`nothing is left under key ${keyId}`] : rest)];
}

function whyUnfinished(reports: readonly KeyReport[], keyring: Keyring): string {
  const causes = reports.map(({ keyId, unreadable }) => {
    if (!keyring.has(keyId))
      return `key ${keyId} is not configured: add it after the first one, or, if it is lost, run ${dbCommand} keys forget ${keyId}`;
    if (unreadable.length > 0)
      return `some values encrypted with key ${keyId} can't be decrypted, see above: enter those secrets again, then repeat this`;
    return `values are still being encrypted with key ${keyId}: a process has that key in the first place; restart it with ${keyring.fingerprint()} first, then repeat this`;
  });
  return `Not everything is encrypted with key ${keyring.fingerprint()}: ${causes.join("; ")}`;
}

async function forget(sql: Database, keyring: Keyring, keyId: string): Promise<string> {
  if (!/^[0-9a-f]{16}$/.test(keyId))
    throw new StartError(`A key ID has 16 hex digits, as shown by ${dbCommand} keys status; got ${JSON.stringify(keyId)}`);
  if (keyring.has(keyId)) throw new StartError(`Key ${keyId} is configured, so it is not lost: nothing was forgotten`);
  const left = await countAll(sql, keyId);
  await forgetKey(sql, keyId);
  const rows = left.map((one) => `${one.rows} rows in ${one.place}`).join(", ");
  return `key ${keyId} is forgotten: the service starts without it. ${rows === "" ? "It was not used" : `Values encrypted with it can't be read until they are entered again: ${rows}`}`;
}
