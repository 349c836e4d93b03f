import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../base/error/app-error.ts";

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** A request that the user of this machine did not make directly: it came through a proxy, or names another host than this machine. */
export function isForeignRequest(headers: IncomingHttpHeaders): boolean {
  return !loopbackHost.test(headers.host ?? "") || forwardingHeader(headers) !== undefined;
}

function forwardingHeader(headers: IncomingHttpHeaders): string | undefined {
  return ["forwarded", "x-forwarded-for", "x-forwarded-host"].find((name) => headers[name] !== undefined);
}

/**
 * With MILLRACE_AUTH=off everyone on this machine has all rights. So a page of another site, open in a browser on this machine, must be
 * kept out: neither a name of its own that resolves to loopback (DNS rebinding, seen in the Host header) nor a cross-site request (Origin,
 * Sec-Fetch-Site) is accepted. Proxies are refused too: behind a proxy, loopback no longer means a single person.
 */
export function checkLocalRequest(headers: IncomingHttpHeaders): void {
  if (!loopbackHost.test(headers.host ?? "")) refuse(`the Host header is ${headers.host}; it must name this machine`);
  const forwarded = forwardingHeader(headers);
  if (forwarded !== undefined) refuse(`the request came through a proxy (${forwarded})`);
  const origin = headers.origin;
  if (origin !== undefined && !isSameHost(origin, headers.host)) refuse(`the request comes from a page of ${origin}`);
  const site = headers["sec-fetch-site"];
  // "same-site" is a page on another port of this machine, so it belongs to another program.
  if (site !== undefined && site !== "same-origin" && site !== "none") refuse(`the request comes from another page (${site})`);
}

function isSameHost(origin: string, host: string | undefined): boolean {
  const wanted = `http://${host}`;
  return URL.canParse(origin) && URL.canParse(wanted) && new URL(origin).host === new URL(wanted).host;
}

function refuse(why: string): never {
  throw new AppError("PERMISSION_DENIED", [`with MILLRACE_AUTH=off only direct requests from this machine are answered, and ${why}`]);
}
