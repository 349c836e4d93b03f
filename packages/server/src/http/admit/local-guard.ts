import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../base/error/app-error.ts";

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** A request that this machine's user did not make directly: through a proxy, or under another name than the machine's own. */
export function isForeignRequest(headers: IncomingHttpHeaders): boolean {
  return !loopbackHost.test(headers.host ?? "") || forwardingHeader(headers) !== undefined;
}

function forwardingHeader(headers: IncomingHttpHeaders): string | undefined {
  return ["forwarded", "x-forwarded-for", "x-forwarded-host"].find((name) => headers[name] !== undefined);
}

/**
 * With MILLRACE_AUTH=off everyone on this machine may do everything, so a page from elsewhere that the browser of the same
 * machine shows must not: neither under a name of its own that resolves to loopback (DNS rebinding: the Host header), nor by
 * a request across sites (Origin, Sec-Fetch-Site). Proxies are refused as well: behind one, loopback is no longer one person.
 */
export function checkLocalRequest(headers: IncomingHttpHeaders): void {
  if (!loopbackHost.test(headers.host ?? "")) refuse(`the Host header is ${headers.host}; it must name this machine`);
  const forwarded = forwardingHeader(headers);
  if (forwarded !== undefined) refuse(`the request came through a proxy (${forwarded})`);
  const origin = headers.origin;
  if (origin !== undefined && !isSameHost(origin, headers.host)) refuse(`the request comes from a page of ${origin}`);
  const site = headers["sec-fetch-site"];
  // "same-site" is a page on another port of this machine: some other program's.
  if (site !== undefined && site !== "same-origin" && site !== "none") refuse(`the request comes from another page (${site})`);
}

function isSameHost(origin: string, host: string | undefined): boolean {
  const wanted = `http://${host}`;
  return URL.canParse(origin) && URL.canParse(wanted) && new URL(origin).host === new URL(wanted).host;
}

function refuse(why: string): never {
  throw new AppError("PERMISSION_DENIED", [`with MILLRACE_AUTH=off only direct requests from this machine are answered, and ${why}`]);
}
