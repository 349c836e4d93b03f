import { ref } from "@millrace/contract/schema.ts";
import { type MailTest, mailTest, mailTestRequest } from "@millrace/contract/settings/mail-test.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isEmail } from "../../base/text/email.ts";
import { shorten } from "../../base/text/shorten.ts";
import { isDomainAllowed } from "../../core/outbound/email-target.ts";
import { oneLine } from "../../core/outbound/mail/render-mail.ts";
import { renderTestMail } from "../../core/outbound/mail/test-mail.ts";
import { type MailSettings, readMailSettings } from "../../domain/settings/mail-settings.ts";
import { type Mail, Mailer } from "../../integrations/outbound/mailer.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { beginMailTest } from "../identity/sign-in/limit-attempts.ts";

/** An administrator waits for it: limits for each step of the dialogue, and for all of it. */
const stepTimeoutMs = 8_000;
const wholeTimeoutMs = 20_000;

export const testMail = defineEndpoint({
  method: "POST",
  path: "/api/v2/settings/mail/test",
  summary: "Send a test message",
  description:
    "Sends one email with the stored settings at once, and responds with what the mail server said, also if it refused it. 409 if the settings " +
    "are incomplete; 429 after 10 messages within 15 minutes.",
  tag: "System",
  permission: "system/write",
  transaction: "none",
  body: ref(mailTestRequest),
  response: ref(mailTest),
  async handle({ db, keyring, body, principal, services, audit }): Promise<MailTest> {
    const settings = await readMailSettings(db, keyring);
    if ("fault" in settings) throw new AppError("CONFLICT", [settings.fault]);
    const to = requireRecipient(body.to?.trim() || principal.email, settings);
    await beginMailTest(db, principal.id);
    const { outcome, code, text } = await send(settings, mailTo(to, settings, principal, services.runs.publicUrl));
    const result = { sent: outcome === "taken", to, server: `${settings.host}:${settings.port}`, ...(code !== undefined && { code }) };
    audit({ kind: "setting", id: "mail", name: "mail", action: "setting/test", after: result });
    return { ...result, answer: shorten(withoutSecrets(text, settings), 500) };
  },
});

function requireRecipient(to: string | undefined, { domains }: MailSettings): string {
  const fault = (message: string) => new AppError("VALIDATION_FAILED", [`to ${message}`], { details: [{ path: "/to", message }] });
  if (to === undefined) throw fault("is missing: you have no email address here");
  if (!isEmail(to)) throw fault(`is ${JSON.stringify(to.slice(0, 80))}; it must be an email address`);
  if (!isDomainAllowed(to, domains)) throw fault(`is ${JSON.stringify(to)}; this instance sends emails to ${domains.join(", ")} only`);
  return to;
}

function mailTo(to: string, { from, appName }: MailSettings, { name }: Principal, publicUrl: string): Mail {
  return {
    messageId: `<${crypto.randomUUID()}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    from: { name: oneLine(appName, 100), address: from },
    recipients: [to],
    ...renderTestMail({ appName, publicUrl, by: name }),
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
  };
}

/** On a connection of its own: that of the other emails may be from before the settings were changed. */
async function send({ host, port, security, credentials }: MailSettings, mail: Mail) {
  const mailer = new Mailer();
  try {
    const server = { host, port, security, ...(credentials && { credentials }), timeoutMs: stepTimeoutMs };
    return await mailer.send(server, mail, AbortSignal.timeout(wholeTimeoutMs));
  } finally {
    await mailer.close();
  }
}

/** A server may repeat what it was sent. */
function withoutSecrets(text: string, { credentials }: MailSettings): string {
  if (credentials === undefined) return text;
  const { user, password } = credentials;
  const sent = [password, Buffer.from(password).toString("base64"), Buffer.from(`\0${user}\0${password}`).toString("base64")];
  return sent.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
}
