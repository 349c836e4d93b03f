import { isIPv4, isIPv6 } from "node:net";
import { embeddedV4, isRange, rangesOf } from "../../base/network/ip-ranges.ts";

/**
 * The addresses to which requests caused by users may go: those of the public internet, and what the configuration allows in addition. Any
 * other address could be a service of the private network that trusts everyone who reaches it (RFC 6890 and the IANA registries of special
 * addresses; 169.254.169.254 is where clouds provide credentials). An IPv6 address that contains an IPv4 one is as open as that one. Every
 * address of this machine is closed: a firewall in front of the machine does not see what it sends to itself.
 */
export interface AddressRule {
  /** @param host as in a URL, in lower case */
  isHostAllowed(host: string): boolean;
  /** @param address an IP address as the system resolves it; anything else is closed */
  isOpen(address: string): boolean;
}

const closedV4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8",
  "100.64.0.0/10", // carriers
  "127.0.0.0/8",
  "169.254.0.0/16", // link-local
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24", // documentation, and the next two of them
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16",
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

const closedV6 = [
  "::/96", // unspecified, loopback, and IPv4 in an old form
  "::ffff:0:0:0/96", // IPv4 translated
  "64:ff9b:1::/48", // NAT64 of a private network
  "100::/64",
  "2001::/23", // Teredo and other protocols
  "2001:db8::/32",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7", // unique local
  "fe80::/10", // link-local
  "fec0::/10",
  "ff00::/8", // multicast
];

const closed = rangesOf([...closedV4, ...closedV6]);

/**
 * @param allow addresses, ranges and host names that may be reached although they are closed
 * @param machine current addresses of this machine, and ranges of them
 */
export function createAddressRule(allow: readonly string[], machine: () => readonly string[] = () => []): AddressRule {
  const ranges = allow.filter(isRange);
  const hosts = new Set(allow.filter((entry) => !isRange(entry)).map((entry) => entry.toLowerCase()));
  const allowed = rangesOf(ranges);
  return {
    isHostAllowed: (host) => hosts.has(host.replace(/\.$/, "")),
    isOpen(address) {
      const isClosed = (family: "ipv4" | "ipv6") => closed.check(address, family) || rangesOf(machine()).check(address, family);
      if (isIPv4(address)) return allowed.check(address, "ipv4") || !isClosed("ipv4");
      if (!isIPv6(address) || address.includes("%")) return false;
      if (allowed.check(address, "ipv6")) return true;
      const inner = embeddedV4(address);
      return inner === undefined ? !isClosed("ipv6") : this.isOpen(inner);
    },
  };
}
