import { subscriptionLimits } from "@millrace/contract/subscription.ts";

/** What is wrong with the address of a webhook, in words that follow its name; undefined: nothing. */
export function webhookUrlFault(text: unknown): string | undefined {
  const right = "must be a URL such as https://example.com/hooks/millrace";
  if (typeof text !== "string" || text.length > subscriptionLimits.urlLength || !URL.canParse(text)) return right;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return `must start with https:// or http://, not ${url.protocol.slice(0, 40)}`;
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password: receivers check the signature instead";
  return undefined;
}

/** The same of a secret that the caller brings. It is not repeated. */
export function webhookSecretFault(text: string): string | undefined {
  const [, encoded = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Math.floor((encoded.replace(/=+$/, "").length * 3) / 4);
  return bytes >= 24 && bytes <= 64 ? undefined : "must be whsec_ and the base64 of 24 to 64 bytes";
}
