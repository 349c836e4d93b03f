import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * True if the signature is the prefix and the lower-case hex HMAC-SHA256 of the concatenated parts, keyed by the secret. Compared in
 * constant time, whatever the length of the given signature.
 */
function isSignature(given: string, prefix: string, secret: string, parts: readonly (string | Uint8Array)[]): boolean {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  const expected = Buffer.from(prefix + hmac.digest("hex"));
  const found = Buffer.from(given);
  return timingSafeEqual(expected, found.length === expected.length ? found : Buffer.alloc(expected.length));
}

/**
 * What is wrong with the proof that a delivery comes from the codehost; undefined if it is valid. The platform signs the bytes of the body.
 */
export function codehostSignatureFault(secret: string, signature: string | undefined, body: Uint8Array): string | undefined {
  if (signature === undefined) return "the header x-codehost-signature-256 is missing, although a webhook secret is set";
  return isSignature(signature, "sha256=", secret, [body]) ? undefined : "x-codehost-signature-256 does not match the body";
}

/** How far the sender's clock may differ from ours, in seconds, in either direction: a copied request is valid for that long. */
const maxClockDifferenceSeconds = 300;

interface ChatSignature {
  /** Header x-chat-signature: `v0=` and hex. */
  signature: string | undefined;
  /** Header x-chat-request-timestamp: Unix seconds. */
  timestamp: string | undefined;
}

/**
 * What is wrong with the proof that a request comes from the chat platform; undefined if it is valid. The platform signs
 * `v0:<timestamp>:<body>`, with the exact bytes of the body.
 */
export function chatSignatureFault(
  secret: string,
  { signature, timestamp }: ChatSignature,
  body: Uint8Array,
  nowSeconds: number,
): string | undefined {
  if (signature === undefined || timestamp === undefined)
    return "the headers x-chat-signature and x-chat-request-timestamp are both needed";
  if (!/^\d{1,12}$/.test(timestamp)) return "x-chat-request-timestamp must be Unix seconds";
  if (Math.abs(nowSeconds - Number(timestamp)) > maxClockDifferenceSeconds) {
    return `x-chat-request-timestamp is more than ${maxClockDifferenceSeconds} seconds from now`;
  }
  return isSignature(signature, "v0=", secret, [`v0:${timestamp}:`, body]) ? undefined : "x-chat-signature does not match the body";
}
