import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { type KeySource, openKeyring } from "../base/secret/key-file.ts";
import type { Keyring } from "../base/secret/keyring.ts";
import { findKeyProblem } from "../domain/secret/check-encryption-keys.ts";
import type { Database } from "../store/database/database.ts";
import { getStoredKeys } from "../store/secret/encryption-keys.ts";
import { deleteKeyHolder, holderSeconds, noteKeyHolder } from "../store/secret/key-holders.ts";

interface KeyServiceParts {
  sql: Database;
  /** The keyring of the whole process, which is updated in place. */
  keyring: Keyring;
  source: KeySource;
  log: Log;
}

const roundMs = 2_000;

/**
 * Watches the file of the encryption keys while the process runs, and tells the database which keys this process has, so that a key can be
 * replaced without a restart (domain/secret/rotate-key.ts). A file that is unreadable, or lacks a required key, changes nothing.
 */
export function createKeyService({ sql, keyring, source, log }: KeyServiceParts): Service {
  const processId = randomUUID();
  const hostName = hostname();
  let noted = "";
  let notedAt = Number.NEGATIVE_INFINITY;
  let complaint = "";
  const complain = (words: string) => {
    if (words !== complaint && words !== "") log.warn(words);
    complaint = words;
  };
  const loop = new Loop({
    name: "keys",
    intervalMs: roundMs,
    log,
    round: async () => {
      if ("file" in source) complain(await followFile(sql, keyring, source.file));
      const keyIds = keyring.ids();
      const isDue = performance.now() - notedAt > (holderSeconds / 4) * 1_000;
      if (keyIds.join() === noted && !isDue) return undefined;
      await noteKeyHolder(sql, { processId, hostName, keyIds });
      noted = keyIds.join();
      notedAt = performance.now();
      return undefined;
    },
  });
  return {
    name: loop.name,
    start: (signal) => loop.start(signal),
    tick: () => loop.tick(),
    async stop() {
      await loop.stop();
      // It stops counting after a minute anyway.
      await deleteKeyHolder(sql, processId).catch(() => undefined);
    },
  };
}

/** Returns what is wrong with the file; empty if nothing is. */
async function followFile(sql: Database, keyring: Keyring, file: string): Promise<string> {
  let next: Keyring;
  try {
    next = openKeyring({ file, isMadeIfMissing: false });
  } catch (error) {
    return `The encryption keys do not change: ${(error as Error).message}`;
  }
  if (next.ids().join() === keyring.ids().join()) return "";
  const reason = findKeyProblem(await getStoredKeys(sql), next);
  if (reason !== undefined) return `The encryption keys do not change, and the next start will fail: ${reason}`;
  keyring.follow(next);
  return "";
}
