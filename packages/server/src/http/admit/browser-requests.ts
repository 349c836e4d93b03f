// Requests of browsers: from which pages they may change something, and their cookies.
import type { IncomingHttpHeaders } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Cookies, Endpoint } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";

/**
 * A browser adds its cookies, and a proxy its headers, to every request, including requests that another site's page makes. So a write that
 * is admitted by them must come from one of our own pages. `Sec-Fetch-Site` shows this in all current browsers, and no page can set it; in
 * older browsers `Origin` does. A request with neither of them was not made by a page.
 *
 * @param publicUrl says which origin is ours where a proxy changes the Host header, and that plain HTTP is not ours
 */
export function checkOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return;
  if (site !== undefined) refuse(`a page of another origin (${site})`);
  const { origin } = headers;
  if (origin !== undefined && !isOurs(origin, headers.host, publicUrl)) refuse(`a page of ${origin}`);
}

/**
 * Following a link is not a request of our own page, even if one of our pages shows the link: people write links into texts that others
 * read, and mail programs open them without any page. So a GET that changes something is refused if the browser only navigates to its
 * address. Browsers say so in `Sec-Fetch-Mode`. Older ones then accept an HTML page, which our scripts never do.
 */
export function checkNavigation({ method }: Pick<Endpoint, "method">, headers: IncomingHttpHeaders): void {
  if (method !== "GET") return;
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

/** Without the port if it is the default one. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function refuse(from: string): never {
  throw new AppError("PERMISSION_DENIED", [
    `the request comes from ${from}; with a session, only pages of this service can make changes. In a program, send Authorization: Bearer TOKEN instead; behind a proxy, set MILLRACE_PUBLIC_URL`,
  ]);
}

/**
 * The prefix of a secure cookie makes browsers bind it to exactly this host: neither a sibling host nor plain HTTP can replace it. The
 * prefix requires HTTPS.
 */
function fullName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** @param isSecure whether browsers reach the service over HTTPS */
export function readCookie(header: string | undefined, name: string, isSecure: boolean): string | undefined {
  if (header === undefined) return undefined;
  const value = parseCookie(header)[fullName(name, isSecure)];
  return value === "" ? undefined : value;
}

export function createCookies(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Cookies {
  const write = (name: string, value: string, maxAge: number) => {
    const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure, maxAge } as const;
    reply.header("set-cookie", stringifySetCookie(fullName(name, isSecure), value, options));
  };
  return {
    read: (name) => readCookie(request.headers.cookie, name, isSecure),
    write,
    remove: (name) => write(name, "", 0),
  };
}
