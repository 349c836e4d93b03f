import { emailPeople, maxEmailAddresses } from "@millrace/contract/outbound/subscription.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { isEmail } from "../../base/text/email.ts";
import type { ActionState } from "../chat/event-message.ts";

/** An email that is ready to be sent: the server, the sender and the recipients. The password is in clear text. */
export interface ReadyEmailTarget {
  server: {
    host: string;
    port: number;
    security: "none" | "starttls" | "tls";
    /** Undefined: without authentication. */
    credentials?: { user: string; password: string };
  };
  /** Email address of the sender. */
  from: string;
  appName: string;
  /** At least one. */
  recipients: string[];
  /** The subject: an event for a subscription, or an invitation, whose token is in clear text. */
  about: MailSubject | { invitation: InvitationLink };
}

interface MailSubject {
  subscription: { id: string; name: string; teamId: string | null };
  /** The current state of the action that the event is about. */
  action?: ActionState | undefined;
}

/** The data for the email of an invitation. */
export interface InvitationLink {
  id: string;
  token: string;
  team: string;
  inviter: string;
  role: string;
  expiresAt: Date;
}

/**
 * Problems with the target of an email subscription, by place.
 *
 * @param domains the domains that emails may be sent to; empty: any
 */
export function emailTargetFaults(target: Readonly<Record<string, unknown>>, domains: readonly string[], path: string): ErrorDetail[] {
  const to = target["to"] ?? [];
  const people = target["people"] ?? [];
  if (!Array.isArray(to) || to.length > maxEmailAddresses) {
    return [{ path: `${path}/to`, message: `must be a list of at most ${maxEmailAddresses} email addresses` }];
  }
  if (!Array.isArray(people) || people.some((word) => !emailPeople.includes(word)) || people.length > emailPeople.length) {
    return [{ path: `${path}/people`, message: `must be a list of some of ${emailPeople.join(", ")}` }];
  }
  if (to.length === 0 && people.length === 0) {
    return [{ path, message: `has no recipients; give addresses in "to" (at most ${maxEmailAddresses}), or "people"` }];
  }
  return to.flatMap((address: unknown, index) => {
    const fault = addressFault(address, domains);
    return fault === undefined ? [] : [{ path: `${path}/to/${index}`, message: fault }];
  });
}

function addressFault(address: unknown, domains: readonly string[]): string | undefined {
  const shown = typeof address === "string" ? JSON.stringify(address.slice(0, 80)) : `a ${typeof address}`;
  if (typeof address !== "string" || !isEmail(address)) return `is ${shown}; it must be an email address`;
  return isDomainAllowed(address, domains) ? undefined : `is ${shown}; this instance sends emails to ${domains.join(", ")} only`;
}

/** The domains in the setting, which has the form `example.com, example.org`. */
export function parseDomains(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, ""))
    .filter((domain) => domain !== "");
}

export function isDomainAllowed(address: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(address.slice(address.lastIndexOf("@") + 1).toLowerCase());
}
