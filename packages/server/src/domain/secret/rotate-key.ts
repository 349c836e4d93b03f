import { StartError } from "../../base/error/start-error.ts";
import { adminCommand } from "../../base/file/repository-root.ts";
import { type KeySource, keyIdOf, openKeyring, readKeyTexts, writeKeyTexts } from "../../base/secret/key-file.ts";
import { newKeyText } from "../../base/secret/keyring.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Database } from "../../store/database/database.ts";
import { countRunsSignedWith, getStoredKeys, type StoredKeys, tryLockRotation } from "../../store/secret/encryption-keys.ts";
import { listKeyHolders } from "../../store/secret/key-holders.ts";
import { findKeyProblem } from "./check-encryption-keys.ts";
import { resealAll } from "./keys-command.ts";

/**
 * Replaces the encryption key in its file while the service runs:
 *
 *     OLD --add--> OLD NEW --promote--> NEW OLD --reseal--> NEW OLD --drop--> NEW
 *
 * The current step follows from the file and the database alone, so the command can be killed anywhere and run again. Before a step that
 * relies on it, all running processes must have read the file (services/key-service.ts): none ever meets a value sealed with a key that it
 * lacks. A key is in the file before anything is sealed with it, and is removed after the database refuses it.
 */
export type RotationStep = "add" | "promote" | "reseal" | "drop";

interface RotationOptions {
  print(line: string): void;
  /** How long to wait for the processes, and the interval of polling. */
  patienceMs?: number;
  pollMs?: number;
  /** After a step. */
  onStep?(step: RotationStep): void | Promise<void>;
}

type Rotation = Required<Omit<RotationOptions, "onStep">> & { sql: Database; file: string };

/**
 * @param sql a pool of one connection
 * @returns the final message
 * @throws StartError if it can't be done, or not now; run it again then
 */
export async function rotateKey(sql: Database, source: KeySource, options: RotationOptions): Promise<string[]> {
  if (!("file" in source))
    throw new StartError(
      `The encryption key is in ${source.origin}, which this command can't change. Follow the steps in docs/encryption-keys.md, or put the key into a file and set MILLRACE_ENCRYPTION_KEY_FILE`,
    );
  const rotation = { patienceMs: 90_000, pollMs: 500, ...options, sql, file: source.file };
  if (!(await tryLockRotation(sql))) throw new StartError(`Another ${adminCommand} rotate-key is running`);
  for (let previous: RotationStep | undefined; ; ) {
    const stored = await getStoredKeys(sql);
    const { keys, comments } = readKeyTexts(source.file);
    const ids = keys.map(keyIdOf);
    requireFit(stored, source.file);
    const step = nextStep(ids, stored);
    // A rotation that was under way when the command started is completed, and no new one begins.
    if (step === "add" && previous !== undefined) return [`The encryption key is now ${ids[0]}`];
    const isDone = await takeStep(rotation, step, { keys, comments, ids, stored });
    if (!isDone) return [];
    await options.onStep?.(step);
    previous = step;
  }
}

function requireFit(stored: StoredKeys, file: string): void {
  const reason = findKeyProblem(stored, openKeyring({ file, isMadeIfMissing: false }));
  if (reason !== undefined) throw new StartError(reason);
}

/** @param ids of the keys in the file */
function nextStep([first, ...others]: readonly string[], { inUse, retired, fingerprint }: StoredKeys): RotationStep {
  const isOld = (id: string) => id === fingerprint || inUse.some(({ keyId }) => keyId === id);
  if (others.some(isOld)) return "reseal";
  if (others.some((id) => retired.includes(id))) return "drop";
  return others.length > 0 && first !== undefined ? "promote" : "add";
}

interface Found {
  /** In the file. */
  keys: readonly string[];
  comments: readonly string[];
  ids: readonly string[];
  stored: StoredKeys;
}

/** False: it has printed why not, and what to do. */
async function takeStep(rotation: Rotation, step: RotationStep, found: Found): Promise<boolean> {
  if (step === "drop") return drop(rotation, found);
  const { sql, file, print } = rotation;
  const { keys, comments, ids } = found;
  if (step === "add") {
    const key = newKeyText();
    writeKeyTexts(file, { keys: [...keys, key], comments });
    await record(sql, "encryption-key/write", keyIdOf(key));
    print(`new key ${keyIdOf(key)} in ${file}; until further notice, everything is encrypted with ${ids[0]}`);
  } else if (step === "promote") {
    const [next = ""] = ids.slice(1);
    await awaitHolders(rotation, `has the new key ${next}`, (held) => held.includes(next));
    const at = ids.indexOf(next);
    writeKeyTexts(file, { keys: [keys[at]!, ...keys.filter((_, index) => index !== at)], comments });
    print(`new secrets are encrypted with ${next}`);
  } else {
    const [first = ""] = ids;
    await awaitHolders(rotation, `encrypts with ${first}`, (held) => held[0] === first);
    await resealAll(sql, openKeyring({ file, isMadeIfMissing: false }), print);
  }
  return true;
}

async function drop({ sql, file, print }: Rotation, { keys, comments, ids, stored }: Found): Promise<boolean> {
  const gone = ids.filter((id) => stored.retired.includes(id));
  const runs = await countRunsSignedWith(sql, gone);
  if (runs > 0) {
    print(`everything is encrypted with ${ids[0]}. ${gone.join(", ")} stays in ${file} while it is needed to check the callback URLs of`);
    print(`${runs} runs that are still open. When they have ended, run ${adminCommand} rotate-key again to remove it`);
    return false;
  }
  const isGone = (id: string) => gone.includes(id);
  const kept = keys.filter((_, index) => !isGone(ids[index]!));
  const retired = keys.flatMap((key, index) => (isGone(ids[index]!) ? [`# retired ${ids[index]}: ${key}`] : []));
  writeKeyTexts(file, { keys: kept, comments: [...comments, ...retired] });
  for (const id of gone) await record(sql, "encryption-key/delete", id);
  print(
    `${gone.join(", ")} is not used any more. ${file} has it as a comment, for backups from before: delete that line when there are none`,
  );
  return true;
}

/** Waits until every running process has read the file. One that was killed counts for another minute. */
async function awaitHolders(
  { sql, patienceMs, pollMs, print }: Rotation,
  what: string,
  fits: (keyIds: string[]) => boolean,
): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  for (let told = -1; ; ) {
    const late = (await listKeyHolders(sql)).filter(({ keyIds }) => !fits(keyIds));
    if (late.length === 0) return;
    const hosts = [...new Set(late.map(({ hostName }) => hostName))].join(", ");
    if (performance.now() > endsAt)
      throw new StartError(
        `Not every process ${what}: ${late.length} on ${hosts} ${late.length === 1 ? "does" : "do"} not. Give them the same key file, or restart them if their key is in a variable, then run this again`,
      );
    if (late.length !== told) print(`waiting until every process ${what}: ${late.length} on ${hosts}`);
    told = late.length;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function record(sql: Database, action: string, keyId: string): Promise<void> {
  const operator = { principalKind: "global", principalId: "operator", principalName: "millrace admin", tokenId: null };
  const object = { objectKind: "encryption-key", objectId: null, objectName: keyId };
  await insertAudit(sql, { teamId: null, ...operator, action, ...object, requestId: "millrace admin" });
}
