import { isIPv4 } from "node:net";
import { isRange } from "../../base/network/ip-ranges.ts";
import type { ResolveName } from "../../base/network/name-resolver.ts";
import { lookupAll } from "../../base/network/system-names.ts";
import { splitEndpoint } from "../../base/text/endpoint-text.ts";
import { closedRanges, type OutboundRuleSettings, privateRanges } from "./outbound-rule.ts";

/**
 * The rule of `outbound` as a packet filter, for steps with their own network namespace: what `outbound-rule.ts` decides for one
 * connection, expressed for all of them. A filter sees only addresses, so names are resolved before (`resolveOutbound`).
 */

/** An address or range, with or without one port. */
export interface FilterEntry {
  range: string;
  port?: number;
}

export interface OutboundFilter {
  /** Refused in any case. */
  sealed: readonly FilterEntry[];
  /** Explicitly opened: these take precedence over what is guarded. */
  opened: readonly FilterEntry[];
  guarded: readonly FilterEntry[];
  allowed: readonly FilterEntry[];
  closed: readonly string[];
}

/** @param resolve a name that can't be resolved allows nothing */
export async function resolveOutbound(settings: OutboundRuleSettings, resolve: ResolveName = lookupAll): Promise<OutboundFilter> {
  const addressesOf = (host: string): Promise<string[]> => (isRange(host) ? Promise.resolve([host]) : resolve(host).catch(() => []));
  const opened: FilterEntry[] = [];
  const allowed: FilterEntry[] = [];
  for (const text of settings.allow) {
    const { host, port } = splitEndpoint(text);
    for (const range of await addressesOf(host)) {
      const entry = { range, ...(port !== undefined && { port: Number(port) }) };
      (port !== undefined && !host.includes("/") ? opened : allowed).push(entry);
    }
  }
  if (settings.publicUrl !== undefined) {
    const { hostname, port, protocol } = new URL(settings.publicUrl);
    for (const range of await addressesOf(hostname.replace(/^\[|\]$/g, "")))
      opened.push({ range, port: Number(port || (protocol === "https:" ? 443 : 80)) });
  }
  const guards = settings.guarded.map((guard) => ({
    isSealed: guard.isSealed === true,
    entries: (guard.addresses ?? settings.machine).map((range) => ({ range, port: guard.port })),
  }));
  return {
    sealed: guards.filter(({ isSealed }) => isSealed).flatMap(({ entries }) => entries),
    guarded: guards.filter(({ isSealed }) => !isSealed).flatMap(({ entries }) => entries),
    opened,
    allowed,
    closed: [...closedRanges.flatMap(({ ranges }) => ranges), ...settings.machine, ...(settings.privateNetworks ? [] : privateRanges)],
  };
}

/**
 * The filter for `nft -f`, in the network namespace of the steps. Only responses may come in. DNS goes to port 53 of `@dns4` and `@dns6`.
 * Code that knows the name servers fills these in, since they may be among the closed addresses. Protocols are numbers (ICMP, TCP, UDP,
 * ICMPv6): there may be no file with their names where the filter is set up.
 */
export function nftRules({ sealed, opened, guarded, allowed, closed }: OutboundFilter): string {
  const forms = closed.flatMap(alsoEmbedded);
  return `table inet millrace {
  set dns4 { type ipv4_addr; }
  set dns6 { type ipv6_addr; }
  set closed4 { type ipv4_addr; flags interval; auto-merge; elements = { ${forms.filter(isV4).join(", ")} } }
  set closed6 { type ipv6_addr; flags interval; auto-merge; elements = { ${forms.filter((range) => !isV4(range)).join(", ")} } }
  chain in {
    type filter hook input priority 0; policy drop;
    iif "lo" accept
    ct state established,related accept
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-advert, packet-too-big } accept
  }
  chain forward { type filter hook forward priority 0; policy drop; }
  chain out {
    type filter hook output priority 0; policy drop;
    oif "lo" accept
${lines(sealed, refuse)}    ip daddr @dns4 meta l4proto { 6, 17 } th dport 53 accept
    ip6 daddr @dns6 meta l4proto { 6, 17 } th dport 53 accept
${lines(opened, "accept")}${lines(guarded, refuse)}${lines(allowed, "accept")}    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept
    ip daddr @closed4 ${refuse}
    ip6 daddr @closed6 ${refuse}
    meta l4proto { 1, 6, 17, 58 } accept
  }
}
`;
}

const refuse = "reject with icmpx type admin-prohibited";

function lines(entries: readonly FilterEntry[], verdict: string): string {
  return entries
    .flatMap(({ range, port }) => alsoEmbedded(range).map((form) => ({ form, port })))
    .map(({ form, port }) => {
      const ports = port === undefined ? "" : ` meta l4proto { 6, 17 } th dport ${port}`;
      return `    ${isV4(form) ? "ip" : "ip6"} daddr ${form}${ports} ${verdict}\n`;
    })
    .join("");
}

function isV4(range: string): boolean {
  return isIPv4(range.split("/")[0] ?? "");
}

/** An IPv4 range, and the IPv6 ranges that a gateway translates to it: NAT64 and 6to4. Mapped addresses are sent as IPv4. */
function alsoEmbedded(range: string): string[] {
  if (!isV4(range)) return [range];
  const [address = "", bits = "32"] = range.split("/");
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const group = (high: number, low: number): string => (high * 256 + low).toString(16);
  return [
    range,
    `64:ff9b::${group(a, b)}:${group(c, d)}/${96 + Number(bits)}`,
    `2002:${group(a, b)}:${group(c, d)}::/${16 + Number(bits)}`,
  ];
}
