import {
  acceptedInvitation,
  invitationAcceptance,
  invitationToken,
  type OpenInvitation,
  openInvitation,
} from "@millrace/contract/identity/invitation.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { hashPassword } from "../../../base/secret/password-hash.ts";
import { SignInRefusal } from "../../../base/secret/sign-in-refusal.ts";
import { cleanName } from "../../../base/text/clean-name.ts";
import {
  acceptInvitation as accept,
  type Joined,
  type Joining,
  requireOpenInvitation,
} from "../../../domain/identity/accept-invitation.ts";
import { isPerson } from "../../../policy/allows.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import type { Database } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { noteSignIn } from "../../../store/identity/sign-ins.ts";
import { type Context, defineEndpoint, type Services } from "../../endpoint.ts";
import { requireWholePerson } from "../require-person.ts";
import { beginSession, giveCookie, requireActivated, signInRules } from "./begin-session.ts";
import { beginInvitation } from "./limit-attempts.ts";

/** The token comes in the body, never in the address, so that no log contains it. */

export const readInvitation = defineEndpoint({
  method: "POST",
  path: "/api/v2/invitation/read",
  summary: "Read an invitation by its link",
  description:
    "For the page that the link opens. 401 for a link that doesn't work, 409 for one that was used or revoked or has expired; 429 after 30 wrong links from one address within 15 minutes.",
  tag: "Sign-in",
  permission: "open",
  sameOriginOnly: true,
  transaction: "none",
  body: invitationToken,
  response: openInvitation,
  async handle({ db, body, clientAddress, services, auditNothing }): Promise<OpenInvitation> {
    auditNothing();
    await requireActivated(db);
    const attempt = await beginInvitation(db, clientAddress);
    const invitation = await requireOpenInvitation(db, body.token, { isHeld: false }).catch(forgiving(db, attempt));
    await transaction(db, (tx) => attempt.succeed(tx));
    const { teamDisplayName, teamName, email, role, inviterName, expiresAt } = invitation;
    return {
      ...{ team: teamDisplayName || teamName, email, role, invitedBy: inviterName, signIn: signInOf(services) },
      expirationDate: expiresAt.toISOString(),
    };
  },
});

export const acceptInvitation = defineEndpoint({
  method: "POST",
  path: "/api/v2/invitation/accept",
  summary: "Accept an invitation",
  description:
    "If you are signed in as the invited person, you become a member of the team. Otherwise `password` creates your account and signs you in: the response sets the session cookie. 409 for an address " +
    "that has an account (sign in first), and on an instance with single sign-on. A link works once.",
  tag: "Sign-in",
  permission: "open",
  sameOriginOnly: true,
  transaction: "none",
  changesRights: true,
  body: invitationAcceptance,
  response: acceptedInvitation,
  async handle(context) {
    const { db, body, clientAddress } = context;
    await requireActivated(db);
    const attempt = await beginInvitation(db, clientAddress);
    const joining = await readJoining(context);
    const { joined, session } = await transaction(db, async (tx) => {
      const joined = await accept(tx, body.token, joining);
      await attempt.succeed(tx);
      await insertAudit(tx, recordOf(context, joined));
      if ("userId" in joining) return { joined, session: undefined };
      await noteSignIn(tx, joined.userId);
      const { userId, email, isNew } = joined;
      return { joined, session: await beginSession(tx, context, { userId, email, type: "user", via: "password", isNew }) };
    }).catch(forgiving(db, attempt));
    if (session !== undefined) giveCookie(context, session);
    return { team: joined.invitation.teamName };
  },
});

type Accepting = Pick<Context<unknown, unknown, unknown, Database>, "principal" | "services" | "auditRecord"> & {
  body: { token: string; name?: string; password?: string };
};

async function readJoining({ principal, services, body }: Accepting): Promise<Joining> {
  if (isPerson(principal)) return requireWholePerson(principal);
  if (body.password === undefined)
    throw new AppError("UNAUTHENTICATED", ["sign in as the invited person, or send a password for a new account"]);
  if (signInOf(services) !== "password") {
    throw new AppError("CONFLICT", ["This instance has single sign-on: sign in with it to accept the invitation, without a password"]);
  }
  return { passwordHash: await hashPassword(body.password, services.passwordCost), name: cleanName(body.name ?? "") };
}

/**
 * Passwords can be set only if nothing else authenticates people: a person who uses single sign-on must not find an account that someone
 * else created.
 */
function signInOf(services: Services): OpenInvitation["signIn"] {
  const { identityProvider, isProxyOn } = signInRules(services);
  if (identityProvider !== undefined) return "oidc";
  return isProxyOn ? "proxy" : "password";
}

/** Only links that never existed count as wrong ones. */
function forgiving(db: Database, attempt: Awaited<ReturnType<typeof beginInvitation>>): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof SignInRefusal)) await transaction(db, (tx) => attempt.succeed(tx));
    throw error;
  };
}

function recordOf({ auditRecord, principal }: Accepting, { userId, email, isNew, role, invitation }: Joined) {
  const { id, teamId, teamName, inviterName, role: invitedAs } = invitation;
  const after = {
    state: "used",
    team: teamName,
    role: role ?? invitedAs,
    isNewMember: role !== undefined,
    isNewUser: isNew,
    invitedBy: inviterName,
  };
  const record = { ...auditRecord({ kind: "invitation", id, name: email, after }), teamId };
  return isPerson(principal) ? record : { ...record, principalKind: "session", principalId: `user:${userId}`, principalName: email };
}
