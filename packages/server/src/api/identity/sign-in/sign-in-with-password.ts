import { userProfile } from "@millrace/contract/profile.ts";
import { passwordSignIn } from "@millrace/contract/sign-in.ts";
import { SignInRefusal } from "../../../base/secret/sign-in-refusal.ts";
import { readEmail } from "../../../base/text/email.ts";
import { instancePermissions, teamRolePermissions } from "../../../policy/roles.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { listMemberships } from "../../../store/identity/memberships.ts";
import { findPassword, holdPassword } from "../../../store/identity/passwords.ts";
import { noteSignIn } from "../../../store/identity/sign-ins.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { findUser } from "../find-user.ts";
import { loadProfile } from "../load-profile.ts";
import { beginSession, giveCookie, requireActivated } from "./begin-session.ts";
import { checkPassword } from "./check-password.ts";
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
    // What is not an address is that of nobody: the database might take it for one that was counted under another name.
    const email = readEmail(body.email);
    await requireActivated(db);
    const attempt = await beginAttempt(db, body.email, clientAddress);
    const known = email === undefined ? undefined : await findPassword(db, email);
    const hash = known?.passwordHash;
    if (!(await checkPassword(body.password, hash)) || email === undefined || known === undefined || hash == null) refuse(known && email);
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

/** @param account of a user that there is */
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
