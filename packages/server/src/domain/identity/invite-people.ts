import { randomBytes } from "node:crypto";
import { invitationLimits } from "@millrace/contract/identity/invitation.ts";
import type { TeamRole } from "@millrace/contract/identity/user.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { hashToken, tokenTextOf } from "../../base/secret/token-text.ts";
import type { Transaction } from "../../store/database/database.ts";
import {
  countInvitations,
  findInvitation,
  type InvitationRow,
  revokeInvitation as revoke,
  saveInvitation,
  setMailEvent,
} from "../../store/identity/invitations.ts";
import { insertOwnEvent } from "../../store/outbound/change-events.ts";
import { insertDeliveries } from "../../store/outbound/deliveries.ts";
import { findMembers } from "../../store/team/members.ts";

/**
 * Invitations to a team. The link lets only the invited person join (accept-invitation.ts). The database stores only the hash of the link's
 * token: the token is derived from a salt with the encryption key, so that a retried email contains the same link.
 */

interface Invite {
  email: string;
  role: TeamRole;
  inviter: Inviter;
  sendsMail: boolean;
}

export interface Inviter {
  /** Absent for a token that belongs to no user. */
  userId?: string | undefined;
  name: string;
  isAdministrator: boolean;
}

export interface InvitedPerson {
  row: InvitationRow;
  /** The link's token in clear: shown once. */
  token: string;
}

const saltBytes = 32;

/**
 * Invites a person, or replaces the open invitation and its link. The team must be locked. The deliverer is to be woken after the commit.
 * @throws CONFLICT for a member, and for too many invitations
 */
export async function invitePerson(
  tx: Transaction,
  team: { id: string; name: string },
  { email, role, inviter, sendsMail }: Invite,
  keyring: Keyring,
): Promise<InvitedPerson> {
  await refuseMember(tx, team, email, role);
  await refuseTooMany(tx, team, email);
  const linkSalt = randomBytes(saltBytes);
  const token = invitationToken(keyring, linkSalt);
  const saved = await saveInvitation(tx, {
    ...{ teamId: team.id, email, role, linkSalt, linkHash: hashToken(token) },
    ...{ inviterId: inviter.userId ?? null, inviterName: inviter.name, isByAdministrator: inviter.isAdministrator },
  });
  if (sendsMail) await queueMail(tx, team, saved);
  return { row: (await findInvitation(tx, team.id, saved.id))!, token };
}

/** The token of the link with that salt. With another sealing key it would differ, and its hash would not be found. */
export function invitationToken(keyring: Keyring, salt: Buffer): string {
  const signature = Buffer.from(keyring.sign(salt.toString("hex"), "invitation"), "base64url");
  return tokenTextOf("mri_", signature.subarray(0, 24));
}

/** @throws NOT_FOUND, CONFLICT if it is no longer open */
export async function revokeInvitation(
  tx: Transaction,
  team: { id: string; name: string },
  id: string,
): Promise<{ email: string; role: TeamRole }> {
  const revoked = await revoke(tx, team.id, id);
  if (revoked !== undefined) return revoked;
  const { email, state } = await requireInvitation(tx, team, id);
  throw new AppError("CONFLICT", [`The invitation of ${email} is already ${state}`]);
}

export async function requireInvitation(tx: Transaction, team: { id: string; name: string }, id: string): Promise<InvitationRow> {
  const row = await findInvitation(tx, team.id, id);
  if (row === undefined) throw new AppError("NOT_FOUND", [`invitation ${id} to team ${team.name}`]);
  return row;
}

/** A person who was only added by address may get a link for that account. */
async function refuseMember(tx: Transaction, team: { id: string; name: string }, email: string, role: TeamRole): Promise<void> {
  const [member] = await findMembers(tx, team.id, { emails: [email] });
  if (member === undefined || (member.isInvited && member.role === role)) return;
  throw new AppError("CONFLICT", [
    `${email} is already a member of ${team.name}, with the role ${member.role}; change the role in its members`,
  ]);
}

/** Each link may be an unsolicited email. */
async function refuseTooMany(tx: Transaction, team: { id: string; name: string }, email: string): Promise<void> {
  const { open, linksOfHour } = await countInvitations(tx, team.id, email);
  if (open >= invitationLimits.pending) {
    throw new AppError("CONFLICT", [`${team.name} has ${open} open invitations, the maximum; revoke some first`]);
  }
  if (linksOfHour >= invitationLimits.linksPerHour) throw new AppError("TOO_MANY_REQUESTS", [3600], { retryAfterSeconds: 3600 });
}

/** The delivery refers to the link by its number: one that was replaced in the meantime is not sent. */
async function queueMail(tx: Transaction, team: { id: string; name: string }, { id, links }: { id: string; links: number }): Promise<void> {
  const event = await insertOwnEvent(tx, {
    ...{ kind: "invitation", status: "created", teamId: team.id, teamName: team.name, objectId: id, data: { id } },
  });
  await insertDeliveries(tx, [
    { event, channel: "email", subscriptionId: null, target: { invitation: id, link: links }, receiverId: team.id },
  ]);
  await setMailEvent(tx, team.id, id, event.id);
}
