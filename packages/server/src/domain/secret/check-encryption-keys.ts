import { StartError } from "../../base/error/start-error.ts";
import { dbCommand } from "../../base/file/repository-root.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { Database } from "../../store/database/database.ts";
import { getStoredKeys, rememberKeys, replaceKeyFingerprint, type StoredKeys } from "../../store/secret/encryption-keys.ts";

/**
 * Checked at each start: every key that stored values refer to is configured, so that no stored value turns out to be unreadable later. The
 * database keeps track of these keys by triggers, so only a few short rows are read.
 *
 * @returns what the operator who starts the service should know
 * @throws StartError that names the missing keys, where they are used, and what to do
 */
export async function checkEncryptionKeys(sql: Database, keyring: Keyring): Promise<string[]> {
  const first = keyring.fingerprint();
  for (;;) {
    const stored = await getStoredKeys(sql);
    refuseMissing(stored, keyring);
    refuseRetired(stored, first);
    const next = nextFingerprint(stored, keyring);
    if (next !== undefined && !(await replaceKeyFingerprint(sql, stored.fingerprint, next))) continue;
    if (stored.forgotten.some((keyId) => keyring.has(keyId))) await rememberKeys(sql, keyring.ids());
    return adviceOn(stored, keyring);
  }
}

/** Why a process could not start with these keys; a running process then doesn't adopt them. */
export function findKeyProblem(stored: StoredKeys, keyring: Keyring): string | undefined {
  try {
    refuseMissing(stored, keyring);
    refuseRetired(stored, keyring.fingerprint());
    nextFingerprint(stored, keyring);
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

function refuseMissing({ inUse }: StoredKeys, keyring: Keyring): void {
  const missing = inUse.filter(({ keyId }) => !keyring.has(keyId));
  if (missing.length === 0) return;
  const list = missing.map(({ keyId, places }) => `${keyId} (in ${places.join(", ")})`).join("; ");
  const [some, them] = missing.length === 1 ? ["a key that is", "that key"] : ["keys that are", "those keys"];
  throw new StartError(
    `Stored secrets are encrypted with ${some} not configured: ${list}. Configured: ${keyring.ids().join(", ")}. Add ${them} to MILLRACE_ENCRYPTION_KEY or its file, then run: ${dbCommand} keys reseal. See docs/encryption-keys.md, also for a lost key`,
  );
}

export function refuseRetired({ retired, fingerprint }: StoredKeys, first: string): void {
  if (!retired.includes(first)) return;
  throw new StartError(
    `The encryption key ${first} is retired: everything was encrypted again with ${fingerprint}. Put ${fingerprint} first in MILLRACE_ENCRYPTION_KEY or its file, and remove ${first}`,
  );
}

/**
 * The fingerprint of the instance's key prevents two first starts with different keys, before anything is encrypted. Re-sealing changes it
 * at its end. Here it is only set for the first time, or corrected if all stored values can be decrypted and none of them refers to it.
 */
function nextFingerprint({ fingerprint, inUse, forgotten }: StoredKeys, keyring: Keyring): string | undefined {
  if (fingerprint === null) return keyring.fingerprint();
  if (keyring.has(fingerprint)) return undefined;
  if (inUse.length > 0 || forgotten.includes(fingerprint)) return keyring.fingerprint();
  throw new StartError(
    `The key of this instance is ${fingerprint}, but configured is ${keyring.ids().join(", ")}. Add ${fingerprint} after the new key, separated by a comma, and run: ${dbCommand} keys reseal. If ${fingerprint} is lost, run that command without it: no stored secret uses it`,
  );
}

function adviceOn({ fingerprint, inUse }: StoredKeys, keyring: Keyring): string[] {
  const first = keyring.fingerprint();
  const old = inUse.filter(({ keyId }) => keyId !== first).map(({ keyId }) => keyId);
  if (fingerprint !== null && fingerprint !== first && keyring.has(fingerprint) && !old.includes(fingerprint)) old.push(fingerprint);
  if (old.length > 0)
    return [
      `encryption key ${first} encrypts, ${old.join(", ")} still decrypt${old.length === 1 ? "s" : ""} older secrets: to finish the rotation run ${dbCommand} keys reseal`,
    ];
  const unused = keyring.ids().slice(1);
  return unused.length === 0 ? [] : [`no stored secret uses the encryption key ${unused.join(", ")}`];
}
