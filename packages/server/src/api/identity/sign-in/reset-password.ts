import { passwordReset } from "@millrace/contract/sign-in.ts";
import { hashOneTimeCode } from "../../../base/secret/one-time-code.ts";
import { hashPassword } from "../../../base/secret/password-hash.ts";
import { SignInRefusal } from "../../../base/secret/sign-in-refusal.ts";
import { readEmail } from "../../../base/text/email.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { takeResetCode } from "../../../store/identity/passwords.ts";
import { deleteSessionsOfUser } from "../../../store/identity/sessions.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { requireActivated } from "./begin-session.ts";
import { beginAttempt } from "./limit-attempts.ts";

export const resetPassword = defineEndpoint({
  method: "POST",
  path: "/api/v2/auth/password/reset",
  summary: "Set a password by a code of an administrator",
  description:
    "The code works once. All sessions of the user end, and an invited user becomes active. Sign in with the new password afterwards.",
  tag: "Sign-in",
  permission: "open",
  sameOriginOnly: true,
  transaction: "none",
  changesRights: true,
  body: passwordReset,
  response: null,
  async handle({ db, body, clientAddress, auditRecord }) {
    await requireActivated(db);
    const attempt = await beginAttempt(db, body.email, clientAddress);
    const hash = await hashPassword(body.new);
    await transaction(db, async (tx) => {
      const email = readEmail(body.email);
      const userId = email === undefined ? undefined : await takeResetCode(tx, email, hashOneTimeCode(body.code), hash);
      if (email === undefined || userId === undefined)
        throw new SignInRefusal({ way: "password-code", why: "wrong-code" }, "UNAUTHENTICATED", [
          "the email address or the code is wrong, or the code was used or has expired",
        ]);
      await attempt.succeed(tx);
      await deleteSessionsOfUser(tx, userId);
      const who = { principalKind: "session", principalId: `user:${userId}`, principalName: email };
      await insertAudit(tx, { ...auditRecord({ kind: "password", id: userId, name: email }), ...who });
    });
  },
});
