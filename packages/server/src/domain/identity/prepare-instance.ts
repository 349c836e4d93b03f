import { timingSafeEqual } from "node:crypto";
import { AppError } from "../../base/error/app-error.ts";
import { writePrivateFile } from "../../base/file/private-file.ts";
import { hashOneTimeCode, hashToken, newOneTimeCode, newTokenText } from "../../base/secret/token-text.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { insertToken } from "../../store/identity/tokens.ts";
import { findUserByEmail, insertUser, promoteUser } from "../../store/identity/users.ts";
import { lockInstance, setOneTimeCode, activateInstance as storeActivation } from "../../store/settings/instance.ts";

/** The operator's configuration. */
interface InstanceSettings {
  /** MILLRACE_ADMIN_TOKEN: with it the instance is active from the start, and no credentials are created. */
  adminToken?: string | undefined;
  /** Absolute. The files `admin-token` and `one-time-code` are written there. */
  dataDir: string;
}

/** Where the new credentials are, for the start message. Both files contain only the text and a line end. */
export interface FirstCredentials {
  adminTokenFile: string;
  oneTimeCodeFile: string;
}

/** The texts of the first credentials. */
interface NewCredentials {
  token: string;
  code: string;
}

export function newFirstCredentials(): NewCredentials {
  return { token: newTokenText("mrg_"), code: newOneTimeCode() };
}

/**
 * Runs at each start, before the first request. An instance without any credentials gets a global token and a one-time code. Both are
 * stored only as hashes, and written once to files that only their owner can read. If several processes start together, one of them creates
 * the credentials.
 *
 * @param made the credentials to use. Called again with the same ones after the response to the commit was lost, it recognizes its own work
 * @returns undefined if nothing had to be created
 */
export async function prepareInstance(
  sql: Database,
  { adminToken, dataDir }: InstanceSettings,
  made = newFirstCredentials(),
): Promise<FirstCredentials | undefined> {
  const files = { adminTokenFile: `${dataDir}/admin-token`, oneTimeCodeFile: `${dataDir}/one-time-code` };
  return transaction(sql, async (tx) => {
    const instance = await lockInstance(tx);
    if (adminToken !== undefined) {
      if (instance.activatedAt === null) await storeActivation(tx);
      return undefined;
    }
    if (instance.oneTimeCodeHash?.equals(hashOneTimeCode(made.code))) return files;
    if (instance.activatedAt !== null || instance.oneTimeCodeHash !== null) return undefined;
    const { token, code } = made;
    await insertToken(tx, {
      kind: "global",
      hash: hashToken(token),
      name: "first administrator",
      permissions: ["**/**"],
      createdBy: "instance",
    });
    await setOneTimeCode(tx, hashOneTimeCode(code));
    // Before the commit: a token in the database that no file holds would lock everyone out, the other way round is harmless.
    writePrivateFile(files.adminTokenFile, `${token}\n`);
    writePrivateFile(files.oneTimeCodeFile, `${code}\n`);
    return files;
  });
}

interface Administrator {
  email: string;
  passwordHash: string;
}

/**
 * Activates the instance with its first administrator, and returns the administrator's ID. Of two activations at once, the second is
 * refused.
 */
export async function activateInstance(db: Queryable, administrator: Administrator | undefined): Promise<string | undefined> {
  const instance = await lockInstance(db);
  if (instance.activatedAt !== null) throw new AppError("CONFLICT", ["This instance is already activated"]);
  await storeActivation(db);
  return administrator === undefined ? undefined : ensureAdministrator(db, administrator);
}

/** Whether the text is the one-time code with the stored hash, regardless of case and hyphens. */
export function isCode(text: string, hash: Buffer | null): boolean {
  return hash !== null && timingSafeEqual(hashOneTimeCode(text), hash);
}

async function ensureAdministrator(db: Queryable, { email, passwordHash }: Administrator): Promise<string> {
  const made = await insertUser(db, { email, name: email, type: "admin", status: "active", passwordHash });
  if (made !== undefined) return made.id;
  const present = await findUserByEmail(db, email);
  // Deleted between the two statements: before activation only a global token can delete users.
  if (present === undefined) throw new AppError("CONFLICT", ["The user was deleted at the same time; try again"]);
  await promoteUser(db, present.id, passwordHash);
  return present.id;
}
