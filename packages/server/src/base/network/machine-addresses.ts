import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";

/**
 * The addresses at which a connection ends on this machine, including loopback and link-local ones, and ranges of them (`10.9.0.0/16`).
 *
 * Read from the kernel's own tables: Node leaves out interfaces without a carrier, such as a bridge whose last container has stopped, and
 * addresses that are local only by a route. The kernel accepts connections to those all the same.
 */
export function machineAddresses(): string[] {
  const byNode = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = new Set(byNode.map(({ address }) => address.replace(/%.*$/, "")));
  for (const range of [...localRangesV4(read("/proc/net/fib_trie")), ...localRangesV6(read("/proc/net/ipv6_route"))]) found.add(range);
  return [...found];
}

/**
 * Destinations of packets that end on this machine: besides its addresses, the broadcast addresses of its networks, and those it shares
 * with other routers (anycast). No connection is possible to these, but a datagram arrives.
 */
export function machineDestinations(): string[] {
  const shared = [...broadcastsV4(read("/proc/net/fib_trie")), ...anycastsV6(read("/proc/net/anycast6"))];
  return [...new Set([...machineAddresses(), ...shared])];
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // Another system than Linux, or no IPv6.
    return "";
  }
}

/** @param table of `/proc/net/fib_trie`: a line with an address, below it a line for each of its routes, `/BITS host LOCAL` */
export function localRangesV4(table: string): string[] {
  return rangesOfKind(table, "LOCAL");
}

/** @param table as above */
export function broadcastsV4(table: string): string[] {
  return rangesOfKind(table, "BROADCAST");
}

function rangesOfKind(table: string, kind: "LOCAL" | "BROADCAST"): string[] {
  const ranges: string[] = [];
  let address = "";
  for (const line of table.split("\n")) {
    address = /\|-- ([\d.]+)/.exec(line)?.[1] ?? address;
    const bits = new RegExp(`/(\\d+) \\w+ ${kind}`).exec(line)?.[1];
    if (bits !== undefined) ranges.push(bits === "32" ? address : `${address}/${bits}`);
  }
  return [...new Set(ranges)];
}

const routeIsLocal = 0x80000000;

/** @param table of `/proc/net/ipv6_route`: destination and length of its prefix in hex first, flags second to last */
export function localRangesV6(table: string): string[] {
  const ranges = table.split("\n").flatMap((line) => {
    const [destination = "", length = ""] = line.split(" ");
    const flags = line.trim().split(/\s+/).at(-2) ?? "";
    if (!/^[0-9a-f]{32}$/.test(destination) || (Number.parseInt(flags, 16) & routeIsLocal) === 0) return [];
    const address = fromDigits(destination);
    return [length === "80" ? address : `${address}/${Number.parseInt(length, 16)}`];
  });
  return [...new Set(ranges)];
}

/** @param table of `/proc/net/anycast6`: number and name of an interface, address */
export function anycastsV6(table: string): string[] {
  return [...new Set([...table.matchAll(/^\d+\s+\S+\s+([0-9a-f]{32})\s/gm)].map(([, digits = ""]) => fromDigits(digits)))];
}

/** An IPv6 address as the kernel writes it in these tables. */
function fromDigits(digits: string): string {
  return new URL(`http://[${digits.match(/.{4}/g)?.join(":")}]`).hostname.slice(1, -1);
}
