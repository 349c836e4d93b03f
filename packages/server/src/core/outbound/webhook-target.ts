import { subscriptionLimits } from "@millrace/contract/outbound/subscription.ts";

/** Where a webhook is sent, and the secrets that sign it. */
export interface WebhookTarget {
  url: string;
  /** In clear text, `whsec_…`: one, or two during a rotation, the newest first. */
  secrets: string[];
}

/**
 * The address of a webhook may be a secret: anyone who knows the address of a chat channel can post there. So it is stored sealed, and
 * shown with a mask in place of possible secrets: values of the query, and segments of the path that look generated. Pure.
 */

const mask = "***";

/** The address as it may be shown; unchanged if nothing in it looks like a secret. */
export function maskWebhookAddress(address: string): string {
  const url = new URL(address);
  if (secretsOfWebhookAddress(address).length === 0) return address;
  const user = url.username || url.password ? `${mask}@` : "";
  const path = url.pathname.split("/").map((step) => (looksSecret(step) ? mask : step));
  return `${url.protocol}//${user}${url.host}${path.join("/")}${maskQuery(url.search)}${url.hash && `#${mask}`}`;
}

/** The masked parts of the address, which must not appear in a response or an error, either. */
export function secretsOfWebhookAddress(address: string): string[] {
  const url = new URL(address);
  const steps = url.pathname.split("/").filter(looksSecret);
  const values = queryParts(url.search).map(([name, value]) => value ?? name);
  const raw = [url.username, url.password, ...steps, ...values, url.hash.slice(1)].filter((part) => part !== "");
  return [...new Set(raw.flatMap((part) => [part, decode(part)]))];
}

/** A name chosen by a person is short, or consists of lower-case words with separators. */
function looksSecret(step: string): boolean {
  const text = decode(step);
  return (text.length >= 8 && /[\dA-Z]/.test(text)) || /[^-._~]{20}/.test(text);
}

function maskQuery(search: string): string {
  const parts = queryParts(search).map(([name, value]) => (value === undefined ? mask : `${name}=${mask}`));
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** In the order of the address; a part without `=` has no value. */
function queryParts(search: string): [name: string, value: string | undefined][] {
  const parts = search.slice(1).split("&").filter(Boolean);
  return parts.map((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [part, undefined] : [part.slice(0, at), part.slice(at + 1)];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is wrong with the address of a webhook, in words that follow its name; undefined: nothing. */
export function webhookUrlFault(text: unknown): string | undefined {
  const right = "must be a URL such as https://example.com/hooks/millrace";
  if (typeof text !== "string" || text.length > subscriptionLimits.urlLength || !URL.canParse(text)) return right;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return `must start with https:// or http://, not ${url.protocol.slice(0, 40)}`;
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password: receivers check the signature instead";
  return undefined;
}

/** The same for a secret chosen by the caller. The message does not repeat it. */
export function webhookSecretFault(text: string): string | undefined {
  const [, encoded = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Math.floor((encoded.replace(/=+$/, "").length * 3) / 4);
  return bytes >= 24 && bytes <= 64 ? undefined : "must be whsec_ and the base64 of 24 to 64 bytes";
}
