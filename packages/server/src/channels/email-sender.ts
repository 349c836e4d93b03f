import type { ReadyEmailTarget } from "../core/outbound/email-target.ts";
import { oneLine, renderMail } from "../core/outbound/mail/render-mail.ts";
import type { DeliveryReport, OutgoingDelivery, Sender } from "../engine/channel.ts";
import { type Mail, type MailAnswer, Mailer } from "../integrations/outbound/mailer.ts";

export interface EmailSenderSettings {
  /** Address of this instance, without a slash at the end. */
  publicUrl: string;
  /** Certificates to trust beside those of the system, as PEM. */
  trustedCertificates?: string;
  /** How long each step of the conversation with the mail server may take. */
  stepTimeoutMs?: number;
}

/**
 * Events as emails. One email goes to all recipients, and none of them sees the others. Its Message-ID is made of the delivery's id: an
 * email that was sent again, because the answer of the server got lost, is recognised by it as the same one.
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

function mailOf({ deliveryId, event }: OutgoingDelivery, target: ReadyEmailTarget, { publicUrl }: EmailSenderSettings): Mail {
  const { from, appName, recipients, subscription } = target;
  const host = from.slice(from.lastIndexOf("@") + 1);
  const owner = subscription.teamId === null ? "" : `/team/${subscription.teamId}`;
  const link = `${publicUrl}/api/v2${owner}/subscription/${subscription.id}`;
  const frame = { appName, publicUrl, subscription: { name: subscription.name, link } };
  const run = event.data["workflowRunRef"] ?? event.data["id"];
  return {
    messageId: `<${deliveryId}@${host}>`,
    from: { name: oneLine(appName, 100), address: from },
    recipients,
    ...renderMail(event, frame),
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "List-Unsubscribe": `<${link}>`,
      "X-Millrace-Event": oneLine(event.type, 200),
      // All emails about a run are one conversation.
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
