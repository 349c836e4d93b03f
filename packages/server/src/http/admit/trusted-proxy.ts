import { BlockList, isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { SignInRefusal } from "../../base/secret/sign-in-refusal.ts";
import { cleanName } from "../../base/text/clean-name.ts";
import { readEmail } from "../../base/text/email.ts";

/**
 * A proxy that has signed people in, and identifies the caller by headers.
 *
 * Anyone can send such a header. So it counts only if the connection itself, which can't be forged, comes from an address that the
 * configuration names; `x-forwarded-for` is ignored for that. The proxy must remove the header from its clients' requests, because from
 * here on it is trusted. It must contain exactly one email address, otherwise the request is refused. An empty header counts as absent.
 */
export interface TrustedProxySettings {
  /** IP addresses and CIDR ranges. */
  addresses: readonly string[];
  /** In lower case. Undefined: the proxy is trusted for the addresses of its clients, not for their identity. */
  emailHeader: string | undefined;
  nameHeader: string;
}

export interface ProxyVisitor {
  email: string;
  name: string | undefined;
}

/** The user whom the proxy names. Undefined if it names none, or the request doesn't come from the proxy. */
export type FindVisitor = (request: FastifyRequest) => ProxyVisitor | undefined;

/** @throws UNAUTHENTICATED, from what it returns, if the proxy's header is not an email address */
export function createFindVisitor({ addresses, emailHeader, nameHeader }: TrustedProxySettings): FindVisitor {
  const trusted = toBlockList(addresses);
  return (request) => {
    const header = emailHeader === undefined ? undefined : request.headers[emailHeader];
    if (header === undefined || header === "") return undefined;
    if (!isTrusted(trusted, request.raw.socket.remoteAddress)) return undefined;
    const email = readEmail(typeof header === "string" ? readUtf8(header) : "");
    if (email === undefined) {
      throw new SignInRefusal({ way: "proxy", why: "no-address" }, "UNAUTHENTICATED", [
        `the header ${emailHeader} of the proxy must contain exactly one email address`,
      ]);
    }
    const name = request.headers[nameHeader];
    return { email, name: typeof name === "string" ? cleanName(readUtf8(name)) : undefined };
  };
}

/** Header values are bytes; proxies write names and addresses in UTF-8. */
function readUtf8(header: string): string {
  return Buffer.from(header, "latin1").toString("utf8");
}

function toBlockList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** An IPv4 peer of an IPv6 socket has the form `::ffff:10.0.0.1`. */
function isTrusted(list: BlockList, peer: string | undefined): boolean {
  const address = peer?.replace(/^::ffff:(?=\d+\.)/i, "");
  return address !== undefined && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
