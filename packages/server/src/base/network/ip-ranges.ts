import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Addresses and ranges, parsed in the same way for every rule. */

/** Whether the text is an address or a range, and not a host name. */
export function isRange(entry: string): boolean {
  const [address = ""] = entry.split("/");
  return isIPv4(address) || isIPv6(address);
}

export function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The IPv4 address that an IPv6 address stands for: mapped (`::ffff:a.b.c.d`), through NAT64 (`64:ff9b::a.b.c.d`) or 6to4 (`2002:…`). */
export function embeddedV4(address: string): string | undefined {
  const groups = groupsOf(address);
  const [first, second, third] = groups as [number, number, number];
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  const isMapped = isZero(0, 5) && groups[5] === 0xffff;
  const isTranslated = first === 0x64 && second === 0xff9b && isZero(2, 6);
  if (isMapped || isTranslated) return dotted(groups[6] as number, groups[7] as number);
  return first === 0x2002 ? dotted(second, third) : undefined;
}

/** The eight groups of a valid IPv6 address in any spelling: URLs have only one of them. */
function groupsOf(address: string): number[] {
  const [left = "", right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const numbers = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const head = numbers(left);
  const tail = numbers(right ?? "");
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Whether a host name or address, from a URL or a setting, is this machine, so that nothing sent there crosses a network. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

/** Whether credentials may be sent to that address: over TLS, or without leaving this machine. */
export function isConfidential({ protocol, hostname }: Pick<URL, "protocol" | "hostname">): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}

/**
 * The key by which an address is counted: the address itself, but for IPv6 its first 64 bits, because the owner of one address can use all
 * others with that prefix.
 */
export function networkOf(address: string): string {
  if (!address.includes(":") || !isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
