import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Signatures of webhooks for one workflow, over the bytes of the body, in either of two forms:
 *
 * - Standard Webhooks: `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature`, a list of `v1,BASE64` separated by
 *   blanks. The signed text is `ID.TIMESTAMP.BODY`; the key is the base64 after `whsec_`.
 * - Plain: `sha256=HEX`, the HMAC-SHA256 of the body, keyed by the text of the secret as it is shown. It has no timestamp, so anyone who
 *   has seen a request can send it again.
 */
export interface WebhookProof {
  /** Id of the delivery; only if it is signed, too. */
  id?: string;
  timestamp?: string;
  signature: string;
  isStandard: boolean;
}

/** How far the sender's clock may differ from ours, in seconds, in either direction. */
const maxClockDifferenceSeconds = 300;
const maxIdLength = 200;
/** A sender that changes its secret signs with the old and the new one; more signatures are never needed. */
const maxSignatures = 10;

type Headers = Readonly<Record<string, unknown>>;

/** The proof in a request, valid or not; undefined if it has none. */
export function readWebhookProof(headers: Headers): WebhookProof | undefined {
  const standard = textOf(headers, "webhook-signature");
  if (standard !== undefined) {
    const [id, timestamp] = [textOf(headers, "webhook-id") ?? "", textOf(headers, "webhook-timestamp") ?? ""];
    return { id, timestamp, signature: standard, isStandard: true };
  }
  const plain = textOf(headers, "x-signature-256") ?? textOf(headers, "x-codehost-signature-256");
  return plain === undefined ? undefined : { signature: plain, isStandard: false };
}

function textOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** What is wrong with a proof whatever the secret is; undefined if nothing is. */
export function webhookProofFault({ id, timestamp, isStandard }: WebhookProof, nowSeconds: number): string | undefined {
  if (!isStandard) return undefined;
  if (!id || id.length > maxIdLength) return `webhook-id is missing or longer than ${maxIdLength} characters`;
  if (!timestamp || !/^\d{1,12}$/.test(timestamp)) return "webhook-timestamp must be Unix seconds";
  const isFar = Math.abs(nowSeconds - Number(timestamp)) > maxClockDifferenceSeconds;
  return isFar ? `webhook-timestamp is more than ${maxClockDifferenceSeconds} seconds from now` : undefined;
}

/** True if the signature was made with one of the secrets. Each is compared in constant time, whatever was given. */
export function isWebhookSigned(proof: WebhookProof, secrets: readonly string[], body: Uint8Array): boolean {
  const given = proof.isStandard ? standardSignatures(proof.signature) : [plainSignature(proof.signature)];
  let isSigned = false;
  for (const secret of secrets) {
    const expected = digest(proof, secret, body);
    for (const one of given)
      isSigned = timingSafeEqual(expected, one.length === expected.length ? one : Buffer.alloc(expected.length)) || isSigned;
  }
  return isSigned;
}

function digest({ id, timestamp, isStandard }: WebhookProof, secret: string, body: Uint8Array): Buffer {
  if (!isStandard) return createHmac("sha256", secret).update(body).digest();
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Signatures of other versions (v1a uses public keys) are ignored. */
function standardSignatures(text: string): Buffer[] {
  const marked = text.split(" ", maxSignatures).filter((one) => one.startsWith("v1,"));
  return marked.map((one) => Buffer.from(one.slice(3), "base64"));
}

function plainSignature(text: string): Buffer {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(text)?.[1];
  return Buffer.from(hex ?? "", "hex");
}

/** Signatures of Standard Webhooks (version 1, symmetric). Secrets are `whsec_` and the base64 of 24 to 64 bytes. */

const prefix = "whsec_";

/** The headers of a request. With several secrets there are as many signatures, and the receiver needs to know one of the secrets. */
export function signWebhook(id: string, atSeconds: number, body: string, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${atSeconds}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(atSeconds),
    ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
  };
}
