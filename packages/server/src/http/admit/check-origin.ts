import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";

/** Its transaction is one that writes, whether the handler opens it or the server does. */
export function hasWriteTransaction({ transaction }: Pick<Endpoint, "transaction">): boolean {
  return transaction === "write" || transaction === "when-needed";
}

/** What changes something, whatever its method says. */
export function isWrite(endpoint: Pick<Endpoint, "method" | "transaction">): boolean {
  return endpoint.method !== "GET" || hasWriteTransaction(endpoint);
}

/**
 * A browser adds cookies, and a proxy its headers, to every request, those that a foreign page has made as well. So a write that is
 * let in by them must come from a page of ours: by `Sec-Fetch-Site`, which every present browser sends and no page can set; by
 * `Origin` in older ones. A request with neither of them was made by no page.
 *
 * @param publicUrl tells which origin is ours where a proxy changes the Host header, and that plain HTTP is not
 */
export function checkOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return;
  if (site !== undefined) refuse(`a page of another origin (${site})`);
  const { origin } = headers;
  if (origin !== undefined && !isOurs(origin, headers.host, publicUrl)) refuse(`a page of ${origin}`);
}

/**
 * A link is not a page of ours, also where a page of ours shows it: people write links into texts that others read, and a mail
 * program opens them without any page. So a GET that changes something is not taken when the browser only goes to its address.
 * Browsers say so by `Sec-Fetch-Mode`; older ones ask for a page then, which no script of ours does.
 */
export function checkNavigation(endpoint: Pick<Endpoint, "method" | "transaction">, headers: IncomingHttpHeaders): void {
  if (endpoint.method !== "GET" || !isWrite(endpoint)) return;
  const mode = headers["sec-fetch-mode"];
  const isNavigation = mode === undefined ? (headers.accept ?? "").includes("text/html") : mode === "navigate";
  if (isNavigation || headers["sec-fetch-site"] === "none") refuse("a link, and this endpoint makes changes");
}

function isOurs(origin: string, host: string | undefined, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  const ours = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (ours !== undefined && protocol !== ours.protocol) return false;
  return from === ours?.host || from === hostOf(`${protocol}//${host}`);
}

/** Without the port where it is the usual one. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function refuse(from: string): never {
  throw new AppError("PERMISSION_DENIED", [
    `the request comes from ${from}; with a session, only pages of this service can make changes. In a program, send Authorization: Bearer TOKEN instead; behind a proxy, set MILLRACE_PUBLIC_URL`,
  ]);
}
