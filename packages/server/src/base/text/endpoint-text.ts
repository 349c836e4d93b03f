import { isIPv6 } from "node:net";

/** An address, a range or a host name, optionally with a port: used in settings and requests. */
export interface EndpointText {
  host: string;
  /** Not checked; undefined: all ports. */
  port: string | undefined;
}

/** Splits `host`, `host:port`, `10.0.0.0/8`, `::1`, `[::1]`, `[::1]:443` and `[fd00::/8]:443`. */
export function splitEndpoint(text: string): EndpointText {
  const [, inner, after] = /^\[([^\]]*)\](?::(.*))?$/.exec(text) ?? [];
  if (inner !== undefined) return { host: inner, port: after };
  const colon = text.indexOf(":");
  // More than one colon without brackets: an IPv6 address or range, which then has no port.
  if (colon < 0 || colon !== text.lastIndexOf(":")) return { host: text, port: undefined };
  return { host: text.slice(0, colon), port: text.slice(colon + 1) };
}

export function joinEndpoint(host: string, port: string | number | undefined): string {
  if (port === undefined) return host;
  return isIPv6(host.split("/")[0] ?? "") ? `[${host}]:${port}` : `${host}:${port}`;
}
