import { userProfile } from "@millrace/contract/identity/profile.ts";
import { passwordChange, passwordReset, passwordSignIn } from "@millrace/contract/identity/sign-in.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { hashPassword, isPassword, type PasswordCost, passwordCost } from "../../../base/secret/password-hash.ts";
import { SignInRefusal } from "../../../base/secret/sign-in-refusal.ts";
import { hashOneTimeCode } from "../../../base/secret/token-text.ts";
import { readEmail } from "../../../base/text/email.ts";
import { instancePermissions, teamRolePermissions } from "../../../policy/permissions.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { findPassword, holdPassword, replacePassword, takeResetCode } from "../../../store/identity/passwords.ts";
import { deleteSessionsOfUser } from "../../../store/identity/sessions.ts";
import { listMemberships, noteSignIn } from "../../../store/identity/sign-ins.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { loadProfile, requireWholePerson } from "../require-person.ts";
import { findUser } from "../user.view.ts";
import { beginSession, giveCookie, requireActivated } from "./begin-session.ts";
import { beginAttempt } from "./limit-attempts.ts";

export const signInWithPassword = defineEndpoint({
  method: "POST",
  path: "/api/v2/auth/password",
  summary: "Sign in with a password",
  description:
    "Starts a session: the response sets its cookie and contains the profile. 401 if the address or the password is wrong; " +
    "429 after 10 failures for one account, or 100 from one address, within 15 minutes.",
  tag: "Sign-in",
  permission: "open",
  sameOriginOnly: true,
  transaction: "none",
  changesRights: true,
  body: passwordSignIn,
  response: userProfile,
  async handle(context) {
    const { db, body, clientAddress } = context;
    // A text that is not an address belongs to nobody. The database might otherwise match it to an account that was counted under another
    // name.
    const email = readEmail(body.email);
    await requireActivated(db);
    const attempt = await beginAttempt(db, body.email, clientAddress);
    const known = email === undefined ? undefined : await findPassword(db, email);
    const hash = known?.passwordHash;
    if (
      !(await checkPassword(body.password, hash, context.services.passwordCost)) ||
      email === undefined ||
      known === undefined ||
      hash == null
    )
      refuse(known && email);
    if (known.status !== "active") {
      const failed = { way: "password", why: "inactive", account: email } as const;
      throw new SignInRefusal(failed, "PERMISSION_DENIED", ["this account is not active; ask an administrator"]);
    }
    const { text, profile } = await transaction(db, async (tx) => {
      if (!(await holdPassword(tx, known.id, hash))) refuse(email);
      await attempt.succeed(tx);
      await noteSignIn(tx, known.id);
      const text = await beginSession(tx, context, {
        userId: known.id,
        email,
        type: known.type,
        via: "password",
        isNew: false,
      });
      return { text, profile: await loadOwnProfile(tx, known.id) };
    });
    giveCookie(context, text);
    return profile;
  },
});

/** @param account of an existing user */
function refuse(account: string | undefined): never {
  const failed = { way: "password", why: "wrong-password", account } as const;
  throw new SignInRefusal(failed, "UNAUTHENTICATED", ["the email address or the password is wrong"]);
}

async function loadOwnProfile(db: Queryable, userId: string) {
  const user = await findUser(db, userId);
  const memberships = await listMemberships(db, userId);
  const teams = new Map(memberships.map(({ id, role }) => [id, teamRolePermissions[role]]));
  return loadProfile(db, user, { permissions: instancePermissions(user.type), teams });
}

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
  async handle({ db, body, principal, clientAddress, auditRecord, services }) {
    const { userId, email } = requireWholePerson(principal);
    const attempt = await beginAttempt(db, email, clientAddress);
    const known = await findPassword(db, email);
    if (known?.passwordHash == null) {
      throw new AppError("CONFLICT", [
        "This account has no password; ask an administrator for a code (POST /api/v2/user/{userId}/password-code)",
      ]);
    }
    const oldHash = known.passwordHash;
    if (!(await checkPassword(body.current, oldHash, services.passwordCost))) {
      throw new AppError("PERMISSION_DENIED", ["current is not your current password"]);
    }
    const newHash = await hashPassword(body.new, services.passwordCost);
    await transaction(db, async (tx) => {
      await attempt.succeed(tx);
      if (!(await replacePassword(tx, userId, oldHash, newHash)))
        throw new AppError("CONFLICT", ["Your password was changed at the same time; try again"]);
      await deleteSessionsOfUser(tx, userId, principal.kind === "session" ? principal.tokenId : undefined);
      await insertAudit(tx, auditRecord({ kind: "password", id: userId, name: email }));
    });
  },
});

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
  async handle({ db, body, clientAddress, auditRecord, services }) {
    await requireActivated(db);
    const attempt = await beginAttempt(db, body.email, clientAddress);
    const hash = await hashPassword(body.new, services.passwordCost);
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

const decoys = new WeakMap<PasswordCost, Promise<string>>();

/** Equally slow for a missing account, an account without a password and a wrong password, so that the response time reveals nothing. */
async function checkPassword(password: string, storedHash: string | null | undefined, cost = passwordCost): Promise<boolean> {
  const decoy = decoys.get(cost) ?? hashPassword("the password of nobody", cost);
  decoys.set(cost, decoy);
  const isRight = await isPassword(password, storedHash ?? (await decoy));
  return isRight && storedHash != null;
}
