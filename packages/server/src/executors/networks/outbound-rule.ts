import { isIPv4, isIPv6 } from "node:net";
import { embeddedV4, isRange, rangesOf } from "../../base/network/ip-ranges.ts";
import { joinEndpoint, splitEndpoint } from "../../base/text/endpoint-text.ts";

/**
 * What a step with the network `outbound` can reach: public and private addresses, but nothing on this machine, nothing that trusts its
 * neighbours (link-local, metadata of clouds), and neither the service nor its database. Evaluated for every connection, with its target
 * address. Pure: the only place that decides, for every mechanism.
 */
export interface OutboundRule {
  /** Why that connection is refused, with what would allow it, as the end of a sentence; undefined: it is allowed. */
  refusal(target: OutboundTarget): string | undefined;
}

export interface OutboundTarget {
  /** As the step has named it: a name, or an address. */
  host: string;
  /** The resolved address. */
  address: string;
  port: number;
  /** The connection is established, and both of its ends are here: the address belongs to this machine, even if it is not in the list. */
  isHere?: boolean;
}

/** A socket of the service: neither a range nor a name without its port opens it. */
export interface GuardedSocket {
  /** For people: "the database". */
  what: string;
  /** The configured name: it may have more addresses than were found. */
  name?: string;
  /** Absent: all addresses of this machine. */
  addresses?: readonly string[];
  port: number;
  /** Can't be opened by a setting: it trusts every connection from this machine. */
  isSealed?: boolean;
}

export interface OutboundRuleSettings {
  /** Setting MILLRACE_TASK_PRIVATE_NETWORKS. */
  privateNetworks: boolean;
  /** Setting MILLRACE_TASK_OUTBOUND_ALLOW. */
  allow: readonly string[];
  /** Setting MILLRACE_PUBLIC_URL: always allowed, whatever its address. */
  publicUrl?: string | undefined;
  /** Addresses of this machine, ranges of them, and broadcast addresses that it receives. */
  machine: readonly string[];
  guarded: readonly GuardedSocket[];
}

const allowSetting = "MILLRACE_TASK_OUTBOUND_ALLOW";

/** Closed unless the setting names an address; grouped by what they are. */
export const closedRanges: readonly { what: string; ranges: readonly string[] }[] = [
  {
    what: "where clouds hand out credentials",
    ranges: [
      "169.254.169.254",
      "169.254.170.2",
      "100.100.100.200",
      "168.63.129.16",
      "192.0.0.192",
      "fd00:ec2::254",
      "fd20:ce::254",
      "fd00:42::42",
    ],
  },
  { what: "this machine itself (loopback)", ranges: ["127.0.0.0/8", "::1"] },
  { what: "a link-local address", ranges: ["169.254.0.0/16", "fe80::/10"] },
  { what: "no address of a host", ranges: ["0.0.0.0/8", "192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4", "::/96", "100::/64", "ff00::/8"] },
  { what: "a tunnel or a translation to an unknown address", ranges: ["::ffff:0:0:0/96", "64:ff9b:1::/48", "2001::/32"] },
];

/** Not in the public internet: closed with MILLRACE_TASK_PRIVATE_NETWORKS=false. */
export const privateRanges: readonly string[] = [
  ...["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"],
  ...["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24"],
  ...["fc00::/7", "fec0::/10", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16"],
];

const closed = closedRanges.map(({ what, ranges }) => ({ what, list: rangesOf(ranges) }));
/** Connections to the unspecified address reach this machine, too. */
const loopback = rangesOf(["127.0.0.0/8", "::1", "0.0.0.0", "::"]);
const privateList = rangesOf(privateRanges);

export function createOutboundRule(settings: OutboundRuleSettings): OutboundRule {
  const allowed = settings.allow.map(readEntry);
  const own = settings.publicUrl === undefined ? undefined : originOf(settings.publicUrl);
  const machine = rangesOf(settings.machine.map((range) => plainAddress(range) ?? range).filter(isRange));
  return {
    refusal({ host, address, port, isHere = false }) {
      const name = host.toLowerCase().replace(/\.$/, "");
      const real = plainAddress(address);
      if (real === undefined) return "it is not an address that can be checked";
      const target = { name, address: real, port };
      const endpoint = joinEndpoint(real, port);
      const isOfMachine = isHere || contains(machine, real);
      const leadsHere = isOfMachine || contains(loopback, real);
      const guard = settings.guarded.find(
        (socket) =>
          socket.port === port && (socket.name === name || (socket.addresses?.some((one) => plainAddress(one) === real) ?? leadsHere)),
      );
      if (guard?.isSealed) return `it is ${guard.what}, which trusts every connection from this machine`;
      const entries = allowed.filter((entry) => entry.matches(target));
      if (entries.some(({ isExact }) => isExact || guard === undefined)) return undefined;
      if (own !== undefined && own.port === port && (own.host === name || own.host === real)) return undefined;
      if (guard) return `it is ${guard.what}; only ${allowSetting}=${endpoint} itself would allow it`;
      const hint = `${allowSetting}=${endpoint} would allow it`;
      const what = closed.find(({ list }) => contains(list, real))?.what;
      if (what !== undefined) return `it is ${what}; ${hint}`;
      if (isOfMachine) return `it is an address of this machine; ${hint}`;
      if (settings.privateNetworks || !contains(privateList, real)) return undefined;
      return `it is not on the public internet; MILLRACE_TASK_PRIVATE_NETWORKS=true or ${hint}`;
    },
  };
}

interface AllowEntry {
  /** Names one endpoint including its port: that opens a guarded socket, too. */
  isExact: boolean;
  matches(target: { name: string; address: string; port: number }): boolean;
}

function readEntry(text: string): AllowEntry {
  const { host, port: portText } = splitEndpoint(text);
  const port = portText === undefined ? undefined : Number(portText);
  const fits = (of: { port: number }): boolean => port === undefined || port === of.port;
  if (!isRange(host)) return { isExact: port !== undefined, matches: (target) => fits(target) && target.name === host.toLowerCase() };
  const list = rangesOf([host]);
  return { isExact: port !== undefined && !host.includes("/"), matches: (target) => fits(target) && contains(list, target.address) };
}

function originOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

function contains(list: ReturnType<typeof rangesOf>, address: string): boolean {
  return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** The canonical spelling of an address; an IPv6 address that contains an IPv4 one becomes that. Undefined if it can't be checked. */
function plainAddress(address: string): string | undefined {
  if (isIPv4(address)) return address;
  if (!isIPv6(address) || address.includes("%")) return undefined;
  return embeddedV4(address) ?? new URL(`http://[${address}]`).hostname.slice(1, -1);
}
