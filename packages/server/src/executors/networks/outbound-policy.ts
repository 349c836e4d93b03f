import { isIP } from "node:net";
import { machineDestinations } from "../../base/network/machine-addresses.ts";
import { createNameResolver, type NameResolver, type ResolveName } from "../../base/network/name-resolver.ts";
import { lookupAll } from "../../base/network/system-names.ts";
import { createOutboundRule, type GuardedSocket, type OutboundRule, type OutboundRuleSettings } from "./outbound-rule.ts";

export interface OutboundPolicySettings extends Pick<OutboundRuleSettings, "privateNetworks" | "allow" | "publicUrl"> {
  /** Sockets of the service and of what it depends on. */
  guarded: readonly ServiceSocket[];
  /** Replaces the system's resolver. */
  resolve?: ResolveName;
  /** Replace the system's, for names that steps resolve. */
  nameServers?: readonly string[];
}

export interface ServiceSocket {
  what: string;
  /** Name or address; absent: this machine, at any of its addresses. */
  host?: string;
  /** Undefined while it is unknown: the socket has not been opened yet. */
  port(): number | undefined;
  isSealed?: boolean;
}

/** The current rule: addresses of the machine and of the database may change while the service runs. */
export interface OutboundPolicy {
  rule(): Promise<OutboundRule>;
  /** The inputs of the rule, for code that expresses it in another form: a packet filter, a policy of a cluster. */
  facts(): Promise<OutboundRuleSettings>;
  /** For names that the service itself uses. */
  readonly resolve: ResolveName;
  /** For names that the steps of one attempt resolve. */
  stepNames(): NameResolver;
}

/** The defaults, with no socket of a service to guard. */
export const defaultOutbound: OutboundPolicySettings = { privateNetworks: true, allow: [], guarded: [] };

/** Addresses older than this are looked up again. */
const freshMs = 5_000;

export function createOutboundPolicy(settings: OutboundPolicySettings): OutboundPolicy {
  const { nameServers, resolve = lookupAll } = settings;
  const remembered = new Map<string, string[]>();
  let known: { rule: Promise<OutboundRule>; at: number } | undefined;
  const facts = async (): Promise<OutboundRuleSettings> => {
    const guarded = await Promise.all(settings.guarded.map((socket) => guard(socket, resolve, remembered)));
    return { ...settings, machine: machineDestinations(), guarded: guarded.filter((socket) => socket !== undefined) };
  };
  const read = async (): Promise<OutboundRule> => createOutboundRule(await facts());
  return {
    resolve,
    facts,
    stepNames: () => (settings.resolve === undefined ? createNameResolver({ servers: nameServers }) : { resolve, end: () => undefined }),
    rule() {
      const now = performance.now();
      if (known === undefined || now - known.at > freshMs) known = { rule: read(), at: now };
      return known.rule;
    },
  };
}

/** @param remembered the last known addresses: an endpoint must not become open because its name can't be resolved for a moment */
async function guard(
  { what, host, port: findPort, isSealed }: ServiceSocket,
  resolve: ResolveName,
  remembered: Map<string, string[]>,
): Promise<GuardedSocket | undefined> {
  const port = findPort();
  if (port === undefined) return undefined;
  const base = { what, port, ...(isSealed === true && { isSealed }) };
  if (host === undefined) return base;
  const found = isIP(host) === 0 ? await resolve(host).catch(() => remembered.get(host) ?? []) : [host];
  remembered.set(host, found);
  return { ...base, name: host.toLowerCase(), addresses: found };
}
