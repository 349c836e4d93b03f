import { passwordChange } from "@millrace/contract/sign-in.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { hashPassword } from "../../../base/secret/password-hash.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { findPassword, replacePassword } from "../../../store/identity/passwords.ts";
import { deleteSessionsOfUser } from "../../../store/identity/sessions.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { requireWholePerson } from "../require-person.ts";
import { checkPassword } from "./check-password.ts";
import { beginAttempt } from "./limit-attempts.ts";

export const changePassword = defineEndpoint({
  method: "PUT",
  path: "/api/v2/auth/password",
  summary: "Change your password",
  description: "All your other sessions end. 409 for an account without a password: an administrator creates a code for the first one.",
  tag: "Sign-in",
  permission: "signed-in",
  transaction: "none",
  changesRights: true,
  body: passwordChange,
  response: null,
  async handle({ db, body, principal, clientAddress, auditRecord }) {
    const { userId, email } = requireWholePerson(principal);
    const attempt = await beginAttempt(db, email, clientAddress);
    const known = await findPassword(db, email);
    if (known?.passwordHash == null) {
      throw new AppError("CONFLICT", [
        "This account has no password; ask an administrator for a code (POST /api/v2/user/{userId}/password-code)",
      ]);
    }
    const oldHash = known.passwordHash;
    if (!(await checkPassword(body.current, oldHash))) {
      throw new AppError("PERMISSION_DENIED", ["current is not your current password"]);
    }
    const newHash = await hashPassword(body.new);
    await transaction(db, async (tx) => {
      await attempt.succeed(tx);
      if (!(await replacePassword(tx, userId, oldHash, newHash)))
        throw new AppError("CONFLICT", ["Your password was changed at the same time; try again"]);
      await deleteSessionsOfUser(tx, userId, principal.kind === "session" ? principal.tokenId : undefined);
      await insertAudit(tx, auditRecord({ kind: "password", id: userId, name: email }));
    });
  },
});
