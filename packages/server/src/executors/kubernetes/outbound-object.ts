import { isIPv4 } from "node:net";
import type { V1NetworkPolicy, V1NetworkPolicyEgressRule } from "@kubernetes/client-node";
import { rangesOf } from "../../base/network/ip-ranges.ts";
import { shortHash } from "../../base/text/short-hash.ts";
import type { FilterEntry, OutboundFilter } from "../networks/outbound-filter.ts";
import { instanceLabels, labelNames } from "./object-names.ts";

/**
 * The rule of `outbound` as a NetworkPolicy. Policies can only allow, so there is only one for an instance: of two, the wider one would
 * count. The addresses that the workers of an instance have found to be closed (their own addresses, the database, the API server) are
 * therefore stored in one object, with the time when they were last seen, and expire some time after.
 */

/** Addresses that were seen, and when, in ms since 1970. */
export type SeenAddresses = Readonly<Record<string, number>>;

const seenAnnotation = "dev.millrace/closed-addresses";
const heldMs = 3_600_000;

export function outboundName(instance: string): string {
  return `millrace-outbound-${shortHash([instance]).slice(0, 12)}`;
}

/** For pods without a network: no connections in either direction. */
export function closedObject(instance: string): V1NetworkPolicy {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: `millrace-closed-${shortHash([instance]).slice(0, 12)}`, labels: instanceLabels(instance) },
    spec: {
      podSelector: { matchLabels: { ...instanceLabels(instance), [labelNames.network]: "none" } },
      policyTypes: ["Ingress", "Egress"],
    },
  };
}

/** The addresses that other workers saw lately, and those that this one sees now. */
export function mergeSeen(policy: V1NetworkPolicy | undefined, now: number, own: readonly string[]): SeenAddresses {
  const others = Object.entries(readSeen(policy)).filter(([, at]) => now - at < heldMs);
  return Object.fromEntries([...others, ...own.map((address): [string, number] => [address, now])].sort());
}

function readSeen(policy: V1NetworkPolicy | undefined): SeenAddresses {
  try {
    const found: unknown = JSON.parse(policy?.metadata?.annotations?.[seenAnnotation] ?? "{}");
    const entries = Object.entries(found as Record<string, unknown>);
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
  } catch {
    return {};
  }
}

/** @param filter what is closed for every worker, and what is opened */
export function outboundObject(instance: string, filter: OutboundFilter, seen: SeenAddresses): V1NetworkPolicy {
  const closed = [...new Set([...filter.closed, ...Object.keys(seen)])];
  const dns = [
    { protocol: "UDP", port: 53 },
    { protocol: "TCP", port: 53 },
  ];
  const everywhere = [
    blockOf("0.0.0.0/0", closed.filter(isV4)),
    blockOf(
      "::/0",
      closed.filter((range) => !isV4(range)),
    ),
  ];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: {
      name: outboundName(instance),
      labels: instanceLabels(instance),
      annotations: { [seenAnnotation]: JSON.stringify(seen) },
    },
    spec: {
      podSelector: { matchLabels: { ...instanceLabels(instance), [labelNames.network]: "outbound" } },
      policyTypes: ["Ingress", "Egress"],
      egress: [
        { ports: dns },
        ...filter.opened.map((entry) => ruleOf(entry, [])),
        ...filter.allowed.flatMap((entry) => allowedRule(entry, Object.keys(seen))),
        { to: everywhere },
      ],
    },
  };
}

function blockOf(cidr: string, closed: readonly string[]) {
  return { ipBlock: { cidr, except: closed.map(asRange).filter((range) => range !== cidr) } };
}

/** A range does not open a closed address; only naming that address and port does. */
function allowedRule(entry: FilterEntry, closed: readonly string[]): V1NetworkPolicyEgressRule[] {
  const inside = closed.filter((range) => holds(entry.range, range));
  return closed.some((range) => holds(range, entry.range)) ? [] : [ruleOf(entry, inside)];
}

/** Whether the first range contains the whole of the second one. */
function holds(range: string, other: string): boolean {
  const [address = "", bits] = asRange(other).split("/");
  const [, ownBits] = asRange(range).split("/");
  return (
    isV4(range) === isV4(other) && Number(ownBits) <= Number(bits) && rangesOf([range]).check(address, isV4(address) ? "ipv4" : "ipv6")
  );
}

function ruleOf({ range, port }: FilterEntry, except: readonly string[]): V1NetworkPolicyEgressRule {
  const ports = port === undefined ? undefined : ["TCP", "UDP"].map((protocol) => ({ protocol, port }));
  const ipBlock = { cidr: asRange(range), ...(except.length > 0 && { except: except.map(asRange) }) };
  return { to: [{ ipBlock }], ...(ports && { ports }) };
}

function isV4(range: string): boolean {
  return isIPv4(range.split("/")[0] ?? "");
}

function asRange(range: string): string {
  return range.includes("/") ? range : `${range}/${isV4(range) ? 32 : 128}`;
}
