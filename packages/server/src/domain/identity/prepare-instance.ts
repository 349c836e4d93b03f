import { writePrivateFile } from "../../base/file/private-file.ts";
import { hashOneTimeCode, newOneTimeCode } from "../../base/secret/one-time-code.ts";
import { hashToken, newTokenText } from "../../base/secret/token-text.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { insertToken } from "../../store/identity/tokens.ts";
import { activateInstance, lockInstance, setOneTimeCode } from "../../store/settings/instance.ts";

/** What the operator has given. */
export interface InstanceSettings {
  /** MILLRACE_ADMIN_TOKEN: with it the instance is active from the start, and nothing is made. */
  adminToken?: string | undefined;
  /** Absolute. The files `admin-token` and `one-time-code` are written there. */
  dataDir: string;
}

/** Where what was made lies, for the start message. Both hold nothing but the text and a line end. */
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
 * At each start, before the first request. An instance that nobody can enter yet gets a global token and a one-time code, both
 * kept as hashes only and written once to files that their owner alone can read. Of processes that start together, one
 * makes them.
 *
 * @param made what happens to them. Called again with the same when the answer to the commit was lost, it finds its own work
 * @returns undefined when there was nothing to make
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
      if (instance.activatedAt === null) await activateInstance(tx);
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
