import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll } from "vitest";

/** For `localhost` and 127.0.0.1, until 2120. It protects nothing, since its key is public here. */
export const mailCertificate = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIfhAZBWGvFt2a/0
A/OZyAv03UKShjJUUbNVS9p5GQQcuTjiQWjUq8dU8U/srCSUmQApeLv8rillP0QD
jS3O1pujTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBQVIlktltPM+YRX9B8xwe/UtsZ2NDAKBggqhkjOPQQD
AgNIADBFAiEAklxTdEidrct9s/ey61JPLjnd4Srf4ouNw/jqTjCryywCIDaEVgn3
Z1myxIj1OeQgCSTmspxqOx8BraPbr7LaNALO
-----END CERTIFICATE-----`;
const certificateKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIKz+PRjtzsKw/peJ4mdefUIz+ESaaQfO18NdqTdNNAFBoAoGCCqGSM49
AwEHoUQDQgAEh+EBkFYa8W3Zr/QD85nIC/TdQpKGMlRRs1VL2nkZBBy5OOJBaNSr
x1TxT+ysJJSZACl4u/yuKWU/RAONLc7Wmw==
-----END EC PRIVATE KEY-----`;

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as received. */
  raw: string;
  /** The user name that the sender has signed in with. */
  user: string | undefined;
  isEncrypted: boolean;
}

export interface FakeMailServer {
  port: number;
  received: ReceivedMail[];
  /** Its responses from now on: to a recipient, to the data, to the sign-in. `hang`: sends nothing any more. */
  behave(next: Behaviour): void;
  connections(): number;
}

export interface Behaviour {
  recipients?: Record<string, SmtpFailure>;
  data?: SmtpFailure | "hang" | "close";
}

export interface SmtpFailure {
  code: number;
  text: string;
}

/**
 * A real SMTP server on loopback that stores what it receives. With credentials it accepts emails only from clients that sign in with them.
 */
export async function fakeMailServer(
  options: { security?: "none" | "starttls" | "tls"; credentials?: { user: string; password: string } } = {},
): Promise<FakeMailServer> {
  const { security = "none", credentials } = options;
  const received: ReceivedMail[] = [];
  let behaviour: Behaviour = {};
  let connections = 0;
  const settings: SMTPServerOptions = {
    name: "mail.test",
    secure: security === "tls",
    disabledCommands: [...(security === "none" ? ["STARTTLS"] : []), ...(credentials ? [] : ["AUTH"])],
    ...(credentials && security === "none" && { allowInsecureAuth: true }),
    authOptional: credentials === undefined,
    cert: mailCertificate,
    key: certificateKey,
    closeTimeout: 100,
    onConnect: (_, done) => {
      connections++;
      done();
    },
    onAuth: ({ username, password }, _, done) => {
      const isRight = username === credentials?.user && password === credentials?.password;
      if (isRight) done(null, { user: username });
      else done(failure({ code: 535, text: "5.7.8 who are you" }));
    },
    onRcptTo: ({ address }, _, done) => {
      const answer = behaviour.recipients?.[address];
      done(answer && failure(answer));
    },
    onData: async (stream, { envelope, user, secure }, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const { data } = behaviour;
      if (data === "hang") return;
      received.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : "",
        to: envelope.rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks).toString(),
        user: user as string | undefined,
        isEncrypted: secure,
      });
      if (data === "close") return server.close();
      if (data) received.pop();
      done(data && failure(data), "taken");
    },
  };
  const server = new SMTPServer(settings);
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    behave: (next) => {
      behaviour = next;
    },
    connections: () => connections,
  };
}

function failure({ code, text }: SmtpFailure): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** The headers of an email by their names in lower case, unfolded, and its parts by their type, decoded. */
export function readMail({ raw }: ReceivedMail): { headers: Record<string, string>; text: string; html: string } {
  const { headers, body } = splitMail(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1];
  const parts =
    boundary === undefined
      ? []
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => splitMail(part.replace(/^\r\n/, "")));
  const of = (type: string) => {
    const part = parts.find((one) => one.headers["content-type"]?.startsWith(type));
    return part ? decodeBody(part.body, part.headers["content-transfer-encoding"]) : "";
  };
  return { headers, text: of("text/plain"), html: of("text/html") };
}

function splitMail(raw: string): { headers: Record<string, string>; body: string } {
  const at = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { headers, body: raw.slice(at + 4) };
}

function decodeBody(body: string, encoding = "7bit"): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const bytes = body.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
