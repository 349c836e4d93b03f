import { isIP, connect as openSocket, type Socket } from "node:net";
import type { NameResolver } from "../../base/network/name-resolver.ts";
import { joinEndpoint } from "../../base/text/endpoint-text.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";

/** The rule does not allow the connection; the message says why and what would allow it. */
export class RefusedConnection extends Error {}

/** The connection is allowed, but failed: with the error code of the system. */
export class BrokenConnection extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export interface Destination {
  /** Name or address, without brackets. */
  host: string;
  port: number;
}

const connectTimeoutMs = 10_000;

/**
 * Opens a connection for a step. The name is resolved here, every address is checked against the rule, and the connection goes to an
 * address that passed: a name that resolves differently a moment later has no effect. Unusual spellings (`127.1`, `0x7f000001`) are names
 * for the resolver, and the addresses that it returns are checked.
 *
 * @param signal the connection is no longer needed; aborting it also closes the connection
 */
export async function connectOutbound(
  policy: OutboundPolicy,
  names: NameResolver,
  { host, port }: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const rule = await policy.rule();
  const addresses = isIP(host) === 0 ? await resolve(names, host, signal) : [host];
  const judged = addresses.map((address) => ({ address, why: rule.refusal({ host, address, port }) }));
  const open = judged.filter(({ why }) => why === undefined);
  const [refused] = judged;
  if (open.length === 0) {
    const where =
      refused === undefined || refused.address === host ? joinEndpoint(host, port) : `${joinEndpoint(host, port)} (${refused.address})`;
    throw new RefusedConnection(`connection to ${where} refused: ${refused?.why ?? "it has no address"}`);
  }
  let last: BrokenConnection | undefined;
  for (const { address } of open) {
    signal.throwIfAborted();
    try {
      const socket = await connectTo(address, port, signal);
      const why = isLocal(socket) ? rule.refusal({ host, address, port, isHere: true }) : undefined;
      if (why === undefined) return socket;
      socket.destroy();
      throw new RefusedConnection(`connection to ${joinEndpoint(address, port)} refused: ${why}`);
    } catch (error) {
      if (error instanceof RefusedConnection) throw error;
      last = error as BrokenConnection;
    }
  }
  throw last ?? new BrokenConnection(`${joinEndpoint(host, port)} could not be reached`, "ECONNREFUSED");
}

/** For a connection to its own address the kernel also uses that as the source: this needs no list of addresses, which may be outdated. */
function isLocal({ localAddress, remoteAddress }: Socket): boolean {
  return localAddress !== undefined && localAddress === remoteAddress;
}

async function resolve(names: NameResolver, host: string, signal: AbortSignal): Promise<string[]> {
  try {
    return await names.resolve(host, signal);
  } catch (error) {
    const { code = "ENOTFOUND" } = error as NodeJS.ErrnoException;
    throw new BrokenConnection(`the name ${host} could not be resolved (${code})`, code);
  }
}

function connectTo(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = openSocket({ host: address, port, allowHalfOpen: true, autoSelectFamily: false, signal });
    const giveUp = (code: string): void => {
      socket.destroy();
      fail(new BrokenConnection(`${joinEndpoint(address, port)} could not be reached (${code})`, code));
    };
    socket.setTimeout(connectTimeoutMs, () => giveUp("ETIMEDOUT"));
    socket.once("error", (error: NodeJS.ErrnoException) => giveUp(error.code ?? "ECONNREFUSED"));
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.removeAllListeners("timeout").removeAllListeners("error");
      // It may break before the caller has a listener.
      socket.on("error", () => socket.destroy());
      done(socket);
    });
  });
}
