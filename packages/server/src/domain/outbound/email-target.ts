import type { EmailPeople, EmailTarget } from "@millrace/contract/subscription.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { ChangeEvent, ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { isDomainAllowed, type ReadyEmailTarget } from "../../core/outbound/email-target.ts";
import type { Queryable } from "../../store/database/database.ts";
import {
  findSubscriptionName,
  listEmailsOfInitiator,
  listEmailsOfRoles,
  listEmailsOfVoters,
} from "../../store/outbound/email-recipients.ts";
import { readMailSettings } from "../settings/mail-settings.ts";

/** Roles whose members may vote on an action that names no approver group: those with the permission action/action. */
export const votingRoles: readonly string[] = ["owner", "editor"];

/** A server takes an email for about so many at once. */
const maxRecipients = 100;

type EmailReading = { target: ReadyEmailTarget; secrets: string[] } | { report: { outcome: "retry" | "rejected"; error: string } };

/** The recipients are decided when the email is sent: people join, leave and vote meanwhile. */
export async function readEmailTarget(db: Queryable, keyring: Keyring, delivery: ClaimedDelivery): Promise<EmailReading> {
  const settings = await readMailSettings(db, keyring);
  if ("fault" in settings) return { report: { outcome: "retry", error: settings.fault } };
  const { host, port, security, credentials, from, domains, appName } = settings;
  const found = await recipientsOf(db, delivery.event, delivery.target as EmailTarget);
  const recipients = found.filter((address) => isDomainAllowed(address, domains)).slice(0, maxRecipients);
  if (recipients.length === 0) return { report: { outcome: "rejected", error: whyNobody(found.length, domains) } };
  const id = delivery.subscriptionId ?? "";
  const subscription = (await findSubscriptionName(db, delivery.teamId, id)) ?? { id, name: "", teamId: delivery.teamId };
  const server = { host, port, security, ...(credentials && { credentials }) };
  return { target: { server, from, appName, recipients, subscription }, secrets: credentials ? [credentials.password] : [] };
}

function whyNobody(found: number, domains: readonly string[]): string {
  if (found === 0) return "There are no recipients: none of the people that the subscription names is an active member of the team";
  return `There are no recipients: the setting mail/domains allows only ${domains.join(", ")}`;
}

async function recipientsOf(db: Queryable, event: ChangeEvent, { to, people }: EmailTarget): Promise<string[]> {
  const lists = [to ?? []];
  for (const word of people ?? []) if (event.teamId !== null) lists.push(await emailsOf(db, event, event.teamId, word));
  return [...new Set(lists.flat().map((address) => address.toLowerCase()))];
}

async function emailsOf(db: Queryable, { kind, objectId, laneId }: ChangeEvent, teamId: string, word: EmailPeople): Promise<string[]> {
  switch (word) {
    case "approvers":
      return kind === "action" ? listEmailsOfVoters(db, teamId, objectId, votingRoles) : [];
    case "initiator":
      return kind === "schedule" || kind === "subscription" ? [] : listEmailsOfInitiator(db, teamId, laneId);
    default:
      return listEmailsOfRoles(db, teamId, [word.slice(0, -1)]);
  }
}
