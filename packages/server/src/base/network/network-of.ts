import { isIPv6 } from "node:net";

/**
 * What an address counts as where callers are counted: itself, but of an IPv6 address the first 64 bits, since who has one has all
 * the others behind them.
 */
export function networkOf(address: string): string {
  if (!address.includes(":") || !isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
