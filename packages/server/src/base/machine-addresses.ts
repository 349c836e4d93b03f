import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";

/**
 * The addresses at which a connection ends on this machine, loopback and link-local ones too, and ranges of them (`10.9.0.0/16`).
 *
 * The kernel's own tables are asked: Node leaves out interfaces without a carrier, such as a bridge whose last container has stopped, and
 * addresses that are local by a route alone. The kernel connects to those all the same.
 */
export function machineAddresses(): string[] {
  const byNode = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = new Set(byNode.map(({ address }) => address.replace(/%.*$/, "")));
  for (const range of [...localRangesV4(read("/proc/net/fib_trie")), ...localRangesV6(read("/proc/net/ipv6_route"))]) found.add(range);
  return [...found];
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
  const ranges: string[] = [];
  let address = "";
  for (const line of table.split("\n")) {
    address = /\|-- ([\d.]+)/.exec(line)?.[1] ?? address;
    const bits = /\/(\d+) \w+ LOCAL/.exec(line)?.[1];
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
    const groups = (destination.match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16)).join(":");
    const address = new URL(`http://[${groups}]`).hostname.slice(1, -1);
    return [length === "80" ? address : `${address}/${Number.parseInt(length, 16)}`];
  });
  return [...new Set(ranges)];
}
