import { hash } from "node:crypto";
import type { SMTPError } from "nodemailer/lib/smtp-connection/index.js";
import type SMTPPool from "nodemailer/lib/smtp-pool/index.js";

/**
 * Sends emails through an SMTP server. Connections are kept for a while and used again; when the settings of the server change, the next
 * email goes through new ones. The library is loaded with the first email: most processes never send one.
 *
 * What the server says decides: 2xx has taken the email over, 5xx about the email will never take it, everything else (4xx, no
 * answer, no connection, no encryption, a certificate that is not good, a sign-in that is refused) may be better later: someone will
 * correct the settings.
 */

export interface MailServer {
  host: string;
  port: number;
  /** starttls and tls demand encryption and a good certificate. */
  security: "none" | "starttls" | "tls";
  /** Undefined: without signing in. */
  credentials?: { user: string; password: string };
  /** Certificates to trust beside those of the system, as PEM. */
  trusted?: string;
  /** How long each step (connecting, the greeting, an answer) may take. */
  timeoutMs: number;
}

export interface Mail {
  /** With `<` and `>`. */
  messageId: string;
  from: { name: string; address: string };
  /** One: it stands in the header. Several: none of them sees the others. */
  recipients: readonly string[];
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface MailAnswer {
  outcome: "taken" | "refused" | "unsure";
  /** The SMTP code, where there was an answer. */
  code?: number;
  /** What the server said, or why it said nothing. */
  text: string;
  /** Recipients that it did not take although it took the email for others. */
  refusedRecipients: number;
}

type Message = SMTPPool.MailOptions & { signal?: AbortSignal };

interface Pool {
  send(message: Message): Promise<SMTPPool.SentMessageInfo>;
  close(): void;
}

export class Mailer {
  #pool: Promise<Pool> | undefined;
  #key: string | undefined;

  /** Never throws for what the server or the network does. */
  async send(server: MailServer, mail: Mail, signal: AbortSignal): Promise<MailAnswer> {
    try {
      const pool = await this.#poolFor(server);
      const { response, rejected } = await pool.send({ ...messageOf(mail), signal });
      return { outcome: "taken", code: Number.parseInt(response, 10), text: response, refusedRecipients: rejected.length };
    } catch (error) {
      return answerOf(error as SMTPError);
    }
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined);
    this.#pool = undefined;
    this.#key = undefined;
    pool?.close();
  }

  async #poolFor(server: MailServer): Promise<Pool> {
    const key = hash("sha256", JSON.stringify(server));
    if (this.#pool && this.#key === key) return this.#pool;
    const before = this.#pool;
    this.#key = key;
    this.#pool = openPool(server);
    before?.then((pool) => pool.close()).catch(() => {});
    return this.#pool;
  }
}

async function openPool(server: MailServer): Promise<Pool> {
  const { createTransport } = await import("nodemailer");
  const { host, port, security, credentials, trusted, timeoutMs } = server;
  const transport = createTransport({
    pool: true,
    maxConnections: 3,
    maxMessages: 100,
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    tls: { minVersion: "TLSv1.2", ...(trusted !== undefined && { ca: trusted }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Nothing that a text holds may make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { send: (message) => transport.sendMail(message), close: () => transport.close() };
}

function messageOf({ messageId, from, recipients, subject, text, html, headers }: Mail): Message {
  const [only, ...others] = recipients;
  const to = only !== undefined && others.length === 0 ? { name: "", address: only } : "undisclosed-recipients:;";
  const envelope = { from: from.address, to: [...recipients] };
  return { messageId, from, to, envelope, subject, text, html, headers: { ...headers }, disableFileAccess: true, disableUrlAccess: true };
}

/** The steps of the conversation in which a refusal is meant for this email, and not for anyone who connects. */
const aboutTheMail: readonly string[] = ["MAIL FROM", "RCPT TO", "DATA"];
const signInNeeded = 530;

function answerOf(error: SMTPError): MailAnswer {
  const { responseCode: code, response, command = "", message } = error;
  const text = response ?? message;
  const known = code === undefined ? {} : { code };
  const isFinal = code !== undefined && code >= 500 && code !== signInNeeded && aboutTheMail.includes(command);
  return { outcome: isFinal ? "refused" : "unsure", ...known, text, refusedRecipients: 0 };
}
