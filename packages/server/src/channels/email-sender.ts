import type { InvitationLink, ReadyEmailTarget } from "../core/outbound/email-target.ts";
import { renderInvitation } from "../core/outbound/mail/invitation-mail.ts";
import { oneLine, renderMail } from "../core/outbound/mail/render-mail.ts";
import type { OutboundEvent } from "../core/outbound/outbound-event.ts";
import { subscriptionPage } from "../core/outbound/page-links.ts";
import type { DeliveryReport, OutgoingDelivery, Sender } from "../engine/channel.ts";
import { type Mail, type MailAnswer, Mailer } from "../integrations/outbound/mailer.ts";

export interface EmailSenderSettings {
  /** Public URL of this instance, without a trailing slash. */
  publicUrl: string;
  /** Certificates to trust in addition to those of the system, as PEM. */
  trustedCertificates?: string;
  /** Time limit for each step of the SMTP dialogue. */
  stepTimeoutMs?: number;
}

/**
 * Events as emails. One email goes to all recipients, and they don't see each other. Its Message-ID is derived from the delivery's id, so
 * mail programs recognize an email that was sent again because the server's response was lost.
 */
export function createEmailSender(settings: EmailSenderSettings): Sender<ReadyEmailTarget> {
  const { stepTimeoutMs: timeoutMs = 15_000, trustedCertificates } = settings;
  const mailer = new Mailer();
  return {
    kind: "email",
    async send(delivery, target) {
      const server = { ...target.server, timeoutMs, ...(trustedCertificates !== undefined && { trusted: trustedCertificates }) };
      return reportOf(await mailer.send(server, mailOf(delivery, target, settings), delivery.signal), target.recipients.length);
    },
    close: () => mailer.close(),
  };
}

type Content = Pick<Mail, "subject" | "text" | "html" | "headers">;

function mailOf(delivery: OutgoingDelivery, target: ReadyEmailTarget, { publicUrl }: EmailSenderSettings): Mail {
  const { from, appName, recipients, about } = target;
  const host = from.slice(from.lastIndexOf("@") + 1);
  const frame = { appName, publicUrl, host };
  const { headers, ...content } =
    "invitation" in about
      ? invitationContent(about.invitation, recipients[0] ?? "", frame)
      : notificationContent(delivery.event, about, frame);
  return {
    messageId: `<${delivery.deliveryId}@${host}>`,
    from: { name: oneLine(appName, 100), address: from },
    recipients,
    ...content,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", ...headers },
  };
}

interface Frame {
  appName: string;
  publicUrl: string;
  /** The domain of the sender's address. */
  host: string;
}

/** The token follows `#`, which browsers don't send: no log of a server or proxy contains it, and no linked page learns it. */
function invitationContent({ token, ...invitation }: InvitationLink, email: string, { appName, publicUrl }: Frame): Content {
  const link = `${publicUrl}/sign-in/invitation#${token}`;
  return { ...renderInvitation({ ...invitation, appName, email, link }), headers: {} };
}

type Notification = Extract<ReadyEmailTarget["about"], { subscription: unknown }>;

function notificationContent(event: OutboundEvent, { subscription, action }: Notification, { appName, publicUrl, host }: Frame): Content {
  const team = subscription.teamId === null ? undefined : (event.team ?? subscription.teamId);
  const link = subscriptionPage(publicUrl, team, subscription.id);
  const run = event.data["workflowRunRef"] ?? event.data["id"];
  return {
    ...renderMail(event, { appName, publicUrl, action, subscription: { name: subscription.name, link } }),
    headers: {
      "List-Unsubscribe": `<${link}>`,
      "X-Millrace-Event": oneLine(event.type, 200),
      // All emails about a run form one thread.
      ...(typeof run === "string" && { References: `<${oneLine(run, 100)}@${host}>` }),
    },
  };
}

function reportOf({ outcome, code, text, refusedRecipients }: MailAnswer, recipients: number): DeliveryReport {
  const status = code === undefined ? {} : { status: code };
  if (outcome === "taken") {
    const note = refusedRecipients > 0 ? ` (not for ${refusedRecipients} of ${recipients} recipients)` : "";
    return { outcome: "delivered", ...status, answer: `${text}${note}` };
  }
  const isRefused = outcome === "refused";
  const error = isRefused ? `The mail server refused the email: ${text}` : `The mail server could not accept the email now: ${text}`;
  return { outcome: isRefused ? "rejected" : "retry", ...status, error };
}
