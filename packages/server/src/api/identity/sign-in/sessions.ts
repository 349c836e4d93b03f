import { type Session, session } from "@millrace/contract/identity/sign-in.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../../base/error/app-error.ts";
import { sessionCookie } from "../../../base/secret/token-text.ts";
import { isId } from "../../../base/text/uuid.ts";
import { endSessionRefusal, mayEndSession } from "../../../policy/users.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { findSession, listSessions as list } from "../../../store/identity/sessions.ts";
import { deleteToken } from "../../../store/identity/tokens.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { requireWholePerson } from "../require-person.ts";

export const listSessions = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/sessions",
  summary: "List your sessions",
  description:
    "The browsers in which you are signed in, newest first. Administrators find the sessions of others with `GET /api/v2/token/query?types=session`.",
  tag: "Sign-in",
  permission: "signed-in",
  transaction: "read",
  response: Type.Array(ref(session)),
  async handle({ db, principal }): Promise<Session[]> {
    const rows = await list(db, requireWholePerson(principal).userId);
    return rows.map((row) => ({
      id: row.id,
      creationDate: row.createdAt.toISOString(),
      lastUsedDate: row.lastUsedAt?.toISOString() ?? null,
      expirationDate: row.expiresAt?.toISOString() ?? null,
      address: row.clientAddress,
      userAgent: row.userAgent,
      current: row.id === principal.tokenId,
    }));
  },
});

export const endSession = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/auth/sessions/:sessionId",
  summary: "End a session",
  description:
    "One of your own. If you can change users, also a session of a user who has no more permissions than you. The browser is signed out at once.",
  tag: "Sign-in",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  params: Type.Object({ sessionId: Type.String({ description: "ID of the session" }) }),
  response: null,
  async handle({ db, params, principal, audit }) {
    const session = isId(params.sessionId) ? await findSession(db, params.sessionId) : undefined;
    if (session === undefined || !mayEndSession(principal, session.userId))
      throw new AppError("NOT_FOUND", [`session ${params.sessionId}`]);
    const refusal = endSessionRefusal(principal, session);
    if (refusal !== undefined) throw new AppError("PERMISSION_DENIED", [refusal]);
    await deleteToken(db, session.id);
    audit({ kind: "session", id: session.id, before: { user: session.userId, address: session.clientAddress } });
  },
});

export const signOut = defineEndpoint({
  method: "POST",
  path: "/api/v2/auth/sign-out",
  summary: "Sign out",
  description: "Ends the session of the cookie and removes the cookie. Succeeds even if the session has already ended.",
  tag: "Sign-in",
  permission: "open",
  sameOriginOnly: true,
  transaction: "none",
  changesRights: true,
  response: null,
  async handle({ db, principal, cookies, auditRecord }) {
    cookies().remove(sessionCookie);
    const { tokenId } = principal;
    if (principal.kind !== "session" || tokenId === undefined) return;
    await transaction(db, async (tx) => {
      if (await deleteToken(tx, tokenId)) await insertAudit(tx, auditRecord({ kind: "session", id: tokenId, name: principal.name }));
    });
  },
});
