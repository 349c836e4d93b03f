import { isIP } from "node:net";
import { machineDestinations } from "../../base/network/machine-addresses.ts";
import { createNameResolver, type NameResolver, type ResolveName } from "../../base/network/name-resolver.ts";
import { lookupAll } from "../../base/network/system-names.ts";
import { createOutboundRule, type GuardedSocket, type OutboundRule, type OutboundRuleSettings } from "./outbound-rule.ts";

export interface OutboundPolicySettings extends Pick<OutboundRuleSettings, "privateNetworks" | "allow" | "publicUrl"> {
  /** Sockets of the service and of what it depends on. */
  guarded: readonly ServiceSocket[];
  /** Instead of the system's. */
  resolve?: ResolveName;
  /** Instead of the system's, for the names that steps ask for. */
  nameServers?: readonly string[];
}

export interface ServiceSocket {
  what: string;
  /** Name or address; absent: of this machine, whichever of its addresses leads there. */
  host?: string;
  /** Undefined while it is not known: it has not been opened yet. */
  port(): number | undefined;
  isSealed?: boolean;
}

/** The rule as it holds now: addresses of the machine and of the database may change while the service runs. */
export interface OutboundPolicy {
  rule(): Promise<OutboundRule>;
  /** What the rule is made of, for what says it in another form: a filter of packets, a policy of a cluster. */
  facts(): Promise<OutboundRuleSettings>;
  /** For what the service itself names. */
  readonly resolve: ResolveName;
  /** For the names that the steps of one attempt ask for. */
  stepNames(): NameResolver;
}

/** What is shipped, with nothing of a service to guard. */
export const defaultOutbound: OutboundPolicySettings = { privateNetworks: true, allow: [], guarded: [] };

/** Addresses are looked up again after this time. */
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

/** @param remembered where a name led last: it is not open because it can't be resolved for a moment */
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
