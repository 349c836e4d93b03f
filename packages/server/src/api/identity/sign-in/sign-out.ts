import { sessionCookie } from "../../../base/secret/session-cookie.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { deleteToken } from "../../../store/identity/tokens.ts";
import { defineEndpoint } from "../../endpoint.ts";

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
    cookies.remove(sessionCookie);
    const { tokenId } = principal;
    if (principal.kind !== "session" || tokenId === undefined) return;
    await transaction(db, async (tx) => {
      if (await deleteToken(tx, tokenId)) await insertAudit(tx, auditRecord({ kind: "session", id: tokenId, name: principal.name }));
    });
  },
});
