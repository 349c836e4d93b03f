import { hash } from "node:crypto";
import type { SMTPError } from "nodemailer/lib/smtp-connection/index.js";
import type SMTPPool from "nodemailer/lib/smtp-pool/index.js";

/**
 * Sends emails through an SMTP server. Connections are kept for a while and reused; if the settings of the server change, the next email
 * uses new ones. The library is loaded with the first email: most processes never send one.
 *
 * The server's response decides: after 2xx it has accepted the email, after a 5xx about the email it never will, everything else (4xx, no
 * response, no connection, no encryption, an invalid certificate, refused credentials) may succeed later: e.g. after someone has corrected
 * the settings.
 */

export interface MailServer {
  host: string;
  port: number;
  /** starttls and tls require encryption and a valid certificate. */
  security: "none" | "starttls" | "tls";
  /** Undefined: without authentication. */
  credentials?: { user: string; password: string };
  /** Certificates to trust in addition to those of the system, as PEM. */
  trusted?: string;
  /** Time limit of each step (connecting, the greeting, a response). */
  timeoutMs: number;
}

export interface Mail {
  /** With `<` and `>`. */
  messageId: string;
  from: { name: string; address: string };
  /** A single one is in the header. Several ones don't see each other. */
  recipients: readonly string[];
  subject: string;
  text: string;
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface MailAnswer {
  outcome: "taken" | "refused" | "unsure";
  /** The SMTP code, if there was a response. */
  code?: number;
  /** The server's message, or why there was none. */
  text: string;
  /** Recipients that it refused although it accepted the email for others. */
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

  /** Never throws because of the server or the network. */
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
    // No text may make the library read a file or a URL.
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

/** The SMTP commands after which a refusal is about this email, and not about every client. */
const aboutTheMail: readonly string[] = ["MAIL FROM", "RCPT TO", "DATA"];
const signInNeeded = 530;

function answerOf(error: SMTPError): MailAnswer {
  const { responseCode: code, response, command = "", message } = error;
  const text = response ?? message;
  const known = code === undefined ? {} : { code };
  const isFinal = code !== undefined && code >= 500 && code !== signInNeeded && aboutTheMail.includes(command);
  return { outcome: isFinal ? "refused" : "unsure", ...known, text, refusedRecipients: 0 };
}
