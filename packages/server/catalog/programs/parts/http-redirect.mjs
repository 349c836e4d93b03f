import { hasStatus } from "./http-codes.mjs";
import { showUrl } from "./http-options.mjs";

/** @typedef {{ url: URL, method: string, headers: Record<string, string | string[]>, body: Buffer }} Hop one request on the way */

const maxRedirects = 5;

/** Headers that prove who is calling: a redirect must not carry them to someone else. */
const credentialHeaders = ["authorization", "cookie", "proxy-authorization"];

/** The only headers that another origin gets to see; any other one may be a key under a name of its own. */
const plainHeaders = ["accept", "accept-encoding", "accept-language", "content-type", "millrace-lineage", "user-agent"];

const bodyHeaders = ["content-type"];

/**
 * The request that a redirect asks for (RFC 9110 15.4), or none: the response is then the answer, and `note` says why.
 * A status that one of the lists names is wanted as an answer, so it is not followed.
 *
 * @param {Hop} hop
 * @param {import("node:http").IncomingMessage} response
 * @param {import("./http-codes.mjs").CodeLists} codes
 * @param {number} redirects how many were followed before
 * @returns {{ hop?: Hop, note?: string }}
 */
export function nextHop(hop, response, codes, redirects) {
  const status = response.statusCode ?? 0;
  const location = response.headers.location;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return {};
  if ([codes.error, codes.success, codes.retry].some((list) => hasStatus(list, status))) return {};
  if (!URL.canParse(location, hop.url)) return { note: "its Location is not an address" };
  const url = new URL(location, hop.url);
  url.username = "";
  url.password = "";
  if (!["http:", "https:"].includes(url.protocol)) return { note: `its Location begins with ${url.protocol}` };
  if (redirects >= maxRedirects) return { note: `${maxRedirects} redirects were followed already` };
  const isElsewhere = url.origin !== hop.url.origin;
  if (isElsewhere && credentialHeaders.some((name) => hop.headers[name] !== undefined)) {
    return { note: `it leads to ${url.origin}, and the credentials of this request are not for that server` };
  }
  process.stdout.write(`${hop.method} ${showUrl(hop.url)}: ${status}, on to ${showUrl(url)}\n`);
  return { hop: redirected(hop, url, status, isElsewhere) };
}

/** @param {Hop} hop @param {URL} url @param {number} status @param {boolean} isElsewhere @returns {Hop} */
function redirected(hop, url, status, isElsewhere) {
  const becomesGet = (status === 303 && hop.method !== "HEAD") || ((status === 301 || status === 302) && hop.method === "POST");
  const names = Object.keys(hop.headers)
    .filter((name) => name !== "host")
    .filter((name) => !isElsewhere || plainHeaders.includes(name))
    .filter((name) => !becomesGet || !bodyHeaders.includes(name));
  const headers = Object.fromEntries(names.map((name) => [name, /** @type {string | string[]} */ (hop.headers[name])]));
  return becomesGet ? { url, method: "GET", headers, body: Buffer.alloc(0) } : { ...hop, url, headers };
}
