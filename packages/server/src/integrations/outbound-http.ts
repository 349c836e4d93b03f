import { lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import { Agent, request } from "undici";
import { type AddressRule, createAddressRule } from "./closed-addresses.ts";

/**
 * Requests to where users say. Every address that a name resolves to is checked when the connection is made, and the connection goes to
 * an address that was checked: a name that resolves differently a moment later gains nothing. Redirects are not followed here.
 */

export interface OutboundAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Its beginning. */
  text: string;
}

export interface OutboundClient {
  /** @throws RefusedAddress when the host is closed; Error with words for people when there is no answer */
  post(url: URL, options: { headers: Record<string, string>; body: string; signal: AbortSignal }): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

class RefusedAddress extends Error {}

type Lookup = typeof systemLookup;

export interface OutboundSettings {
  /** Addresses, ranges and names of hosts that may be reached although they are closed. */
  allow: readonly string[];
  /** Instead of the system's resolver. */
  lookup?: Lookup | undefined;
}

const answerBytes = 16_384;
const connectTimeoutMs = 5_000;

export function createOutboundClient({ allow, lookup = systemLookup }: OutboundSettings): OutboundClient {
  const rule = createAddressRule(allow);
  const agent = new Agent({
    connect: { lookup: checkedLookup(rule, lookup) as Lookup, timeout: connectTimeoutMs },
    connections: 16,
    keepAliveTimeout: 10_000,
    headersTimeout: 15_000,
    bodyTimeout: 15_000,
  });
  return {
    async post(url, { headers, body, signal }) {
      requireOpenLiteral(rule, url);
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

/** An address in the URL is never looked up, so it is checked here; its odd spellings are gone by now (WHATWG URL). */
function requireOpenLiteral(rule: AddressRule, { hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !rule.isOpen(host)) throw refusal(hostname, host);
}

function refusal(hostname: string, address: string): RefusedAddress {
  const where = hostname.replace(/^\[|\]$/g, "") === address ? address : `${hostname} (${address})`;
  return new RefusedAddress(
    `${where} is not an address of the open internet; MILLRACE_OUTBOUND_ALLOW can name hosts that may be reached all the same`,
  );
}

type LookupCallback = (error: Error | null, address?: unknown, family?: number) => void;

function checkedLookup(rule: AddressRule, lookup: Lookup) {
  return (hostname: string, options: { all?: boolean; family?: number; hints?: number }, callback: LookupCallback) => {
    lookup(hostname, { ...options, all: true } as { all: true }, (error, addresses) => {
      if (error) return callback(error);
      const closed = rule.isHostAllowed(hostname) ? undefined : addresses.find(({ address }) => !rule.isOpen(address));
      const [first] = addresses;
      if (closed || !first) return callback(refusal(hostname, closed?.address ?? "no address"));
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** What comes after the bound is not waited for. */
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
  if (name === "TimeoutError") return new Error(`${url.host} did not answer in time`, { cause: error });
  const what = code ?? errors?.[0]?.code ?? message;
  return new Error(`${url.host} could not be reached (${what})`, { cause: error });
}
