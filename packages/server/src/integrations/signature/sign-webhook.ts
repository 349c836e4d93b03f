import { createHmac } from "node:crypto";

/** Signatures of Standard Webhooks (version 1, symmetric). Secrets are `whsec_` and the base64 of 24 to 64 bytes. */

const prefix = "whsec_";

/** The headers of a request. With several secrets there are as many signatures, and the receiver needs to know one of them. */
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
