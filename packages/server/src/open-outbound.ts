import { isIPv4 } from "node:net";
import { rangesOf } from "./base/network/ip-ranges.ts";
import { machineAddresses } from "./base/network/machine-addresses.ts";
import { splitEndpoint } from "./base/text/endpoint-text.ts";
import type { Config } from "./config/read-config.ts";
import { createOutboundPolicy, type OutboundPolicy, type ServiceSocket } from "./executors/networks/outbound-policy.ts";

/** The address of this process's API; its port is known once it listens. */
export interface Listening {
  port: number | undefined;
}

/** What steps with the network `outbound` can reach from this process, and which addresses of the service they never can. */
export function openOutbound(config: Config, listening: Listening): OutboundPolicy {
  return createOutboundPolicy({
    privateNetworks: config.taskPrivateNetworks,
    allow: config.taskOutboundAllow,
    publicUrl: config.publicUrl,
    guarded: [...ownSocket(config, listening), ...databaseSockets(config), ...engineSockets(config)],
  });
}

/** Behind a trusted proxy, or without sign-in, a connection from this machine is worth as much as an administrator's token. */
function ownSocket({ trustedProxy, auth }: Config, listening: Listening): ServiceSocket[] {
  const believesNeighbours = trustedProxy.length > 0 || auth === "off";
  return believesNeighbours ? [{ what: "this service", port: () => listening.port, isSealed: true }] : [];
}

function databaseSockets({ database }: Config): ServiceSocket[] {
  if (database.kind === "embedded") return [];
  return [database.url, database.directUrl].flatMap((url) => (url === undefined ? [] : socketsOf(url, "the database", 5432)));
}

/** A connection to it gives full control of its machine. */
function engineSockets({ containerHost, dockerHost }: Config): ServiceSocket[] {
  const address = containerHost ?? dockerHost;
  return address === undefined || address.startsWith("unix:") ? [] : socketsOf(address, "the container engine", 2375);
}

/** The hosts of an address like `postgres://user:password@one:5432,two/name`. */
function socketsOf(address: string, what: string, usualPort: number): ServiceSocket[] {
  const [, authority = ""] = /^\w+:\/\/([^/?#]*)/.exec(address) ?? [];
  const hosts = authority.slice(authority.lastIndexOf("@") + 1).split(",");
  return hosts.flatMap((text) => {
    const { host, port } = splitEndpoint(text);
    return host === "" || host.includes("%2F") ? [] : [{ what, host, port: () => Number(port ?? usualPort) }];
  });
}

/**
 * Addresses of this machine, except loopback, which this or another service trusts to identify the caller: a task on this machine would
 * connect to other processes of the service from them.
 */
export function trustedOwnAddresses(trustedProxy: readonly string[]): string[] {
  const trusted = rangesOf(trustedProxy);
  const family = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");
  return machineAddresses()
    .map((range) => range.split("/")[0] as string)
    .filter((address) => !loopback.check(address, family(address)) && trusted.check(address, family(address)));
}

const loopback = rangesOf(["127.0.0.0/8", "::1"]);
