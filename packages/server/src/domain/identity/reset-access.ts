import { writePrivateFile } from "../../base/file/private-file.ts";
import { hashToken, newTokenText } from "../../base/secret/token-text.ts";
import { type AuditRecord, insertAudit } from "../../store/audit/audit.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { deleteAllSessions } from "../../store/identity/sessions.ts";
import { deleteAdminTokens, insertToken } from "../../store/identity/tokens.ts";
import { lockInstance } from "../../store/settings/instance.ts";

interface ResetOptions {
  /** Absolute path; the new token is written there. */
  tokenFile: string;
  /** Everyone has to sign in again. */
  endsSessions: boolean;
}

export interface ResetAccess {
  endedTokens: number;
  endedSessions: number;
}

/** The creator of such tokens. A reset ends its earlier tokens, including that of the first start. */
const makers = ["instance", "operator"] as const;

/**
 * For an operator who has lost access: creates a token with all permissions, in a file that only its owner can read. The tokens of the
 * first start and of earlier resets end. Anyone who can run this has access to the database anyway.
 */
export async function resetAccess(sql: Database, { tokenFile, endsSessions }: ResetOptions): Promise<ResetAccess> {
  const text = newTokenText("mrg_");
  return transaction(sql, async (tx) => {
    await lockInstance(tx);
    const ended = await deleteAdminTokens(tx, makers);
    for (const { id, name } of ended) await insertAudit(tx, recordOf({ action: "token/delete", objectId: id, objectName: name }));
    const name = "administrator";
    const made = await insertToken(tx, {
      ...{ kind: "global", hash: hashToken(text), name, permissions: ["**/**"], createdBy: makers[1] },
      description: "Created by millrace admin reset-access",
    });
    await insertAudit(tx, recordOf({ action: "token/write", objectId: made!.id, objectName: name }));
    const endedSessions = endsSessions ? await deleteAllSessions(tx) : 0;
    if (endedSessions > 0)
      await insertAudit(tx, {
        ...recordOf({ action: "token/delete", objectId: null, objectName: null }),
        objectKind: "session",
        after: { endedSessions },
      });
    // Before the commit, as at the first start: a token that is in no file would lock everyone out.
    writePrivateFile(tokenFile, `${text}\n`);
    return { endedTokens: ended.length, endedSessions };
  });
}

function recordOf(object: Pick<AuditRecord, "action" | "objectId" | "objectName">): AuditRecord {
  const operator = { principalKind: "global", principalId: "operator", principalName: "millrace admin", tokenId: null };
  return { teamId: null, ...operator, objectKind: "token", requestId: "millrace admin", ...object };
}
