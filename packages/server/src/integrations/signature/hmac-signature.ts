import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * True when the signature is the prefix and the lower-case hex HMAC-SHA256 of the parts, one after the other, keyed by the secret.
 * Compared in constant time, whatever the length of what was given.
 */
export function isSignature(given: string, prefix: string, secret: string, parts: readonly (string | Uint8Array)[]): boolean {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  const expected = Buffer.from(prefix + hmac.digest("hex"));
  const found = Buffer.from(given);
  return timingSafeEqual(expected, found.length === expected.length ? found : Buffer.alloc(expected.length));
}
