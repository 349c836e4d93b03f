import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, fetch, request, type RequestInit as UndiciRequestInit } from "undici";
import { isLoopbackHost } from "../../base/network/ip-ranges.ts";
import { machineAddresses } from "../../base/network/machine-addresses.ts";
import { type ResolveName, resolveAlone } from "../../base/network/name-resolver.ts";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { type AddressRule, createAddressRule } from "./closed-addresses.ts";

/**
 * Requests to URLs from users. Every address that a name resolves to is checked when the connection is made, and the connection goes to a
 * checked address: a name that resolves differently a moment later has no effect. Redirects are not followed here.
 */

export interface OutboundAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The start of the body. */
  text: string;
}

export interface OutboundClient {
  /** @throws RefusedAddress if the host is closed; Error with a message for people if there is no response */
  post(url: URL, options: { headers: Record<string, string>; body: string; signal: AbortSignal }): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

/** Its message is for people: it names the address and what would allow it. */
export class RefusedAddress extends Error {}

export interface OutboundSettings {
  /** Addresses, ranges and host names that may be reached although they are closed. */
  allow: readonly string[];
  /** Public URL of this instance: it may lead to this machine. */
  publicUrl?: string | undefined;
  /** Replaces the name servers and files of this machine. */
  resolve?: ResolveName | undefined;
  /** Name servers (`127.0.0.1:5353`) instead of those of this machine. */
  nameServers?: readonly string[] | undefined;
  /** Replaces the addresses of this machine. */
  machine?: (() => readonly string[]) | undefined;
}

const answerBytes = 16_384;
const connectTimeoutMs = 5_000;

/** Connections only to open and allowed addresses, however a request gets there. `isConfidential`: with TLS, or within this machine. */
function createGuardedAgent({
  allow,
  publicUrl,
  nameServers,
  resolve = (name, signal) => resolveAlone(name, signal, nameServers),
  machine = ownAddresses,
  isConfidential = false,
}: OutboundSettings & { isConfidential?: boolean }): Agent {
  const connectorOf = (rule: AddressRule) => ({
    rule,
    connector: buildConnector({ lookup: checkedLookup(rule, resolve), timeout: connectTimeoutMs }),
  });
  const others = connectorOf(createAddressRule(allow, machine));
  const self = connectorOf(createAddressRule(allow));
  return new Agent({
    connect(options, callback) {
      const { rule, connector } = isOwnEndpoint(options, publicUrl) ? self : others;
      const refused = literalRefusal(rule, options.hostname) ?? (isConfidential ? clearRefusal(options) : undefined);
      if (refused) callback(refused, null);
      else connector(options, callback);
    },
    connections: 16,
    keepAliveTimeout: 10_000,
    headersTimeout: 15_000,
    bodyTimeout: 15_000,
  });
}

export function createOutboundClient(settings: OutboundSettings): OutboundClient {
  const agent = createGuardedAgent(settings);
  return {
    async post(url, { headers, body, signal }) {
      try {
        const answer = await request(url, { dispatcher: agent, method: "POST", headers, body, signal });
        return { status: answer.statusCode, headers: answer.headers, text: await readBeginning(answer.body) };
      } catch (error) {
        throw explain(error, url);
      }
    },
    close: () => agent.destroy(),
  };
}

/** How long the machine's addresses are cached, in ms: they may change while the service runs. */
const addressesHoldMs = 5_000;
let known: { addresses: readonly string[]; at: number } | undefined;

function ownAddresses(): readonly string[] {
  const now = performance.now();
  if (known === undefined || now - known.at > addressesHoldMs) known = { addresses: machineAddresses(), at: now };
  return known.addresses;
}

/** Whether a request goes to the public URL of this instance, including the port. */
export function isOwnEndpoint(
  { protocol, hostname, port }: { protocol: string; hostname: string; port: string },
  publicUrl: string | undefined,
): boolean {
  if (publicUrl === undefined) return false;
  const own = new URL(publicUrl);
  return own.protocol === protocol && own.hostname === hostname && portOf(own) === portOf({ protocol, port });
}

function portOf({ protocol, port }: { protocol: string; port: string }): string {
  return port || (protocol === "https:" ? "443" : "80");
}

/** An address in the URL is never resolved, so it is checked here; unusual spellings are already normalized (WHATWG URL). */
function literalRefusal(rule: AddressRule, hostname: string): RefusedAddress | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !rule.isOpen(host) ? refusal(hostname, host) : undefined;
}

function clearRefusal({ protocol, hostname }: { protocol: string; hostname: string }): RefusedAddress | undefined {
  if (protocol === "https:" || isLoopbackHost(hostname)) return undefined;
  return new RefusedAddress(`${hostname} would get credentials unencrypted; its URL must start with https://`);
}

function refusal(hostname: string, address: string): RefusedAddress {
  const where = hostname.replace(/^\[|\]$/g, "") === address ? address : `${hostname} (${address})`;
  return new RefusedAddress(
    `${where} is not an address of the public internet, or is one of this machine; list the host in MILLRACE_OUTBOUND_ALLOW to allow it`,
  );
}

function checkedLookup(rule: AddressRule, resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (found: readonly string[]): void => {
      const closed = rule.isHostAllowed(hostname) ? undefined : found.find((address) => !rule.isOpen(address));
      const addresses = found.map((address) => ({ address, family: isIP(address) }));
      const [first] = addresses;
      if (closed || !first) callback(refusal(hostname, closed ?? "no address"), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    resolve(hostname, AbortSignal.timeout(connectTimeoutMs)).then(answer, (error: Error) => callback(error as NodeJS.ErrnoException, []));
  };
}

/** The rest beyond the limit is not waited for. */
async function readBeginning(
  body: AsyncIterable<Buffer> & { destroy(): void; on(event: "error", ignore: () => void): void },
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= answerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, answerBytes).toString("utf8");
}

function explain(error: unknown, url: URL): Error {
  const { name, code, cause, message, errors } = error as NodeJS.ErrnoException & { cause?: unknown; errors?: NodeJS.ErrnoException[] };
  for (const one of [error, cause]) if (one instanceof RefusedAddress) return one;
  if (name === "TimeoutError") return new Error(`${url.host} did not respond in time`, { cause: error });
  const what = code ?? errors?.[0]?.code ?? message;
  return new Error(`${url.host} could not be reached (${what})`, { cause: error });
}

/**
 * The `fetch` for calls to the platforms. Their URLs are settings, so the rule for webhooks applies: only the public internet, and what
 * MILLRACE_OUTBOUND_ALLOW names, checked at each connection, including redirects. All of these calls carry credentials, so they require
 * TLS, except within this machine.
 */
export function createGuardedFetch(settings: OutboundSettings): PlatformFetch {
  const dispatcher = createGuardedAgent({ ...settings, isConfidential: true });
  return async (url, init) => {
    const answer = await fetch(url, { ...(init as UndiciRequestInit), dispatcher });
    return answer as unknown as Response;
  };
}
