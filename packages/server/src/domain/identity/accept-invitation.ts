import type { TeamRole } from "@millrace/contract/identity/user.ts";
import { AppError } from "../../base/error/app-error.ts";
import { SignInRefusal } from "../../base/secret/sign-in-refusal.ts";
import { hashToken, isTokenText } from "../../base/secret/token-text.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { findInvitationByLink, type LinkedInvitation } from "../../store/identity/invitation-links.ts";
import { setInvitationAccepted } from "../../store/identity/invitations.ts";
import { activateInvited, type InvitedAccount, lockInvitedAccount } from "../../store/identity/invited-accounts.ts";
import { insertUser } from "../../store/identity/users.ts";
import { addMember } from "../../store/team/members.ts";

/**
 * A person opens the link of an invitation and joins the team. A new password creates an account only if the account can't belong to anyone
 * else, because the inviter may have copied the link. Everyone with an account signs in first, as always, and joins with that account; its
 * address must be the invited one.
 */

export type Joining =
  | { userId: string; email: string }
  /** Not signed in. */
  | { passwordHash: string; name: string | undefined };

export interface Joined {
  userId: string;
  email: string;
  isNew: boolean;
  /** Undefined: they were a member already, and keep their role. */
  role: TeamRole | undefined;
  invitation: LinkedInvitation;
}

/**
 * Of two concurrent acceptances, the second sees that the first has used the link. @throws AppError with the reason why the link doesn't
 * work
 */
export async function acceptInvitation(tx: Transaction, token: string, joining: Joining): Promise<Joined> {
  const invitation = await requireOpenInvitation(tx, token, { isHeld: true });
  const { teamId, email, role } = invitation;
  const account = "userId" in joining ? requireInvited(invitation, joining) : await openAccount(tx, invitation, joining);
  const isAdded = await addMember(tx, teamId, { userId: account.userId, role });
  await setInvitationAccepted(tx, teamId, invitation.id);
  return { ...account, email, role: isAdded ? role : undefined, invitation };
}

/** @throws UNAUTHENTICATED for a link that is none, INVITATION_USED, INVITATION_REVOKED or INVITATION_EXPIRED for one that is over */
export async function requireOpenInvitation(db: Queryable, token: string, hold: { isHeld: boolean }): Promise<LinkedInvitation> {
  const found = isTokenText(token) ? await findInvitationByLink(db, hashToken(token), hold) : undefined;
  if (found === undefined || !found.isInviterActive) {
    const why = "this invitation link doesn't work: it is incomplete, or was replaced by a newer one; ask for a new link";
    throw new SignInRefusal({ way: "invitation", why: "wrong-link" }, "UNAUTHENTICATED", [why]);
  }
  switch (found.state) {
    case "used":
      throw new AppError("INVITATION_USED", [found.inviterName]);
    case "revoked":
      throw new AppError("INVITATION_REVOKED", [found.inviterName]);
    case "expired":
      throw new AppError("INVITATION_EXPIRED", [found.expiresAt.toISOString(), found.inviterName]);
    default:
      return found;
  }
}

function requireInvited({ email }: LinkedInvitation, person: { userId: string; email: string }): { userId: string; isNew: boolean } {
  if (person.email === email) return { userId: person.userId, isNew: false };
  const message = `this invitation is for ${email}, and you are signed in as ${person.email}; sign out, then open the link again`;
  throw new AppError("PERMISSION_DENIED", [message]);
}

async function openAccount(
  tx: Transaction,
  { email, teamId, isByAdministrator }: LinkedInvitation,
  { passwordHash, name }: { passwordHash: string; name: string | undefined },
): Promise<{ userId: string; isNew: boolean }> {
  const made = await insertUser(tx, { email, name: name ?? email, type: "user", status: "active", passwordHash });
  if (made !== undefined) return { userId: made.id, isNew: true };
  const account = await lockInvitedAccount(tx, email, teamId);
  if (account === undefined) throw new AppError("CONFLICT", ["The account was deleted at the same time; try again"]);
  const refusal = passwordRefusal(account, email, isByAdministrator);
  if (refusal !== undefined) throw refusal;
  await activateInvited(tx, account.id, { name, passwordHash });
  return { userId: account.id, isNew: true };
}

/** If the account has more rights than this invitation grants, only an administrator may issue a password for it. */
function passwordRefusal(
  { status, type, isInvited, hasOtherTeams }: InvitedAccount,
  email: string,
  isByAdministrator: boolean,
): AppError | undefined {
  if (status === "active") return new AppError("CONFLICT", [`${email} already has an account: sign in to accept the invitation`]);
  if (!isInvited) return new AppError("PERMISSION_DENIED", [`the account ${email} is not active; ask an administrator`]);
  if (isByAdministrator || (type === "user" && !hasOtherTeams)) return undefined;
  const message = `${email} was already added to this instance by others: ask an administrator for a password code, and sign in with it`;
  return new AppError("CONFLICT", [message]);
}
