import type { EmailPeople, EmailTarget } from "@millrace/contract/outbound/subscription.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { hashToken } from "../../base/secret/token-text.ts";
import type { ChangeEvent, ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { isDomainAllowed, type ReadyEmailTarget } from "../../core/outbound/email-target.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findInvitation } from "../../store/identity/invitations.ts";
import {
  findSubscriptionName,
  listEmailsOfInitiator,
  listEmailsOfRoles,
  listEmailsOfVoters,
} from "../../store/outbound/email-recipients.ts";
import { findTeam } from "../../store/team/teams.ts";
import { readActionOfEvent } from "../action/read-action-state.ts";
import { invitationToken } from "../identity/invite-people.ts";
import { readMailSettings } from "../settings/mail-settings.ts";

/** Roles whose members may vote on an action that names no approver group: those with the permission action/action. */
export const votingRoles: readonly string[] = ["owner", "editor"];

/** How many recipients a mail server accepts at once, approximately. */
const maxRecipients = 100;

type EmailReading = { target: ReadyEmailTarget; secrets: string[] } | { report: { outcome: "retry" | "rejected"; error: string } };

/** The recipients are determined when the email is sent, because people join, leave and vote in the meantime. */
export async function readEmailTarget(db: Queryable, keyring: Keyring, delivery: ClaimedDelivery): Promise<EmailReading> {
  const settings = await readMailSettings(db, keyring);
  if ("fault" in settings) return { report: { outcome: "retry", error: settings.fault } };
  const { host, port, security, credentials, from, domains, appName } = settings;
  const content = delivery.event.kind === "invitation" ? await readInvitation(db, keyring, delivery) : await readNotification(db, delivery);
  if ("error" in content) return { report: { outcome: "rejected", error: content.error } };
  const recipients = content.found.filter((address) => isDomainAllowed(address, domains)).slice(0, maxRecipients);
  if (recipients.length === 0) return { report: { outcome: "rejected", error: whyNoRecipient(content.found.length, domains) } };
  const server = { host, port, security, ...(credentials && { credentials }) };
  const secrets = [...(credentials ? [credentials.password] : []), ...content.secrets];
  return { target: { server, from, appName, recipients, about: content.about }, secrets };
}

interface MailContent {
  found: string[];
  about: ReadyEmailTarget["about"];
  secrets: string[];
}

async function readNotification(db: Queryable, delivery: ClaimedDelivery): Promise<MailContent> {
  const id = delivery.subscriptionId ?? "";
  const subscription = (await findSubscriptionName(db, delivery.teamId, id)) ?? { id, name: "", teamId: delivery.teamId };
  const found = await recipientsOf(db, delivery.event, delivery.target as EmailTarget);
  const action = await readActionOfEvent(db, delivery.event);
  return { found, about: { subscription, ...(action && { action }) }, secrets: [] };
}

/** The link is computed from its salt. It isn't sent if it would not work: it was replaced or revoked, or the key has changed. */
async function readInvitation(db: Queryable, keyring: Keyring, delivery: ClaimedDelivery): Promise<MailContent | { error: string }> {
  const { teamId, event } = delivery;
  const row = teamId === null ? undefined : await findInvitation(db, teamId, event.objectId);
  if (row === undefined || row.state !== "pending" || row.links !== delivery.target["link"]) {
    return { error: "The invitation was used, revoked or replaced before the email was sent" };
  }
  const token = invitationToken(keyring, row.linkSalt);
  if (!hashToken(token).equals(row.linkHash)) return { error: "The encryption key was replaced before the email was sent: send it again" };
  const team = (await findTeam(db, row.teamId))?.displayName ?? event.teamName ?? "";
  const { id, inviterName: inviter, role, expiresAt } = row;
  return { found: [row.email], about: { invitation: { id, token, team, inviter, role, expiresAt } }, secrets: [token] };
}

function whyNoRecipient(found: number, domains: readonly string[]): string {
  if (found === 0) return "There are no recipients: none of the people that the subscription names is an active member of the team";
  return `There are no recipients: the setting mail/domains allows only ${domains.join(", ")}`;
}

function delegatesOf({ delegateRefs }: ChangeEvent["data"]): string[] {
  return Array.isArray(delegateRefs) ? delegateRefs.map(String) : [];
}

async function recipientsOf(db: Queryable, event: ChangeEvent, { to, people }: EmailTarget): Promise<string[]> {
  const lists = [to ?? []];
  for (const word of people ?? []) if (event.teamId !== null) lists.push(await emailsOf(db, event, event.teamId, word));
  return [...new Set(lists.flat().map((address) => address.toLowerCase()))];
}

async function emailsOf(
  db: Queryable,
  { kind, status, objectId, laneId, data }: ChangeEvent,
  teamId: string,
  word: EmailPeople,
): Promise<string[]> {
  switch (word) {
    case "approvers":
      if (kind !== "action") return [];
      // Only those voters are notified of a delegation or an escalation to whom it goes.
      return listEmailsOfVoters(
        db,
        teamId,
        objectId,
        votingRoles,
        status === "delegated" || status === "escalated" ? delegatesOf(data) : undefined,
      );
    case "initiator":
      return kind === "schedule" || kind === "subscription" || kind === "invitation" ? [] : listEmailsOfInitiator(db, teamId, laneId);
    default:
      return listEmailsOfRoles(db, teamId, [word.slice(0, -1)]);
  }
}
