import { connect, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { driverError } from "./database-error.ts";

/** The address on which a server listens. */
export type Place = { path: string } | { host: string; port: number };

/**
 * False: no TLS. `prefer`: if the server supports it. `require`: without checking the certificate. Options: as given; the certificate is
 * checked by default.
 */
export type Tls = false | "prefer" | "require" | ConnectionOptions;

/**
 * Connects, and encrypts the connection if requested. A socket on this machine needs no encryption.
 * @param signal aborts the attempt
 * @throws Error of Node, with the code TLS_REFUSED for a server without TLS, CONNECTION_CLOSED for one that disconnects
 */
export async function openSocket(place: Place, tls: Tls, signal: AbortSignal): Promise<Socket> {
  const socket = "path" in place ? connect(place.path) : connect({ port: place.port, host: place.host, noDelay: true });
  const breakOff = () => socket.destroy();
  signal.addEventListener("abort", breakOff);
  try {
    await untilEvent(socket, "connect", place);
    return "path" in place || tls === false ? socket : await encrypt(socket, place, tls);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", breakOff);
  }
}

const requestTls = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const yes = 83;

async function encrypt(socket: Socket, place: { host: string; port: number }, tls: Exclude<Tls, false>): Promise<Socket> {
  socket.write(requestTls);
  const answer = (await untilEvent(socket, "data", place)) as Buffer;
  if (answer[0] !== yes) {
    if (tls === "prefer") return socket;
    throw driverError("TLS_REFUSED", "The server does not speak TLS");
  }
  // Anything after this one byte is unencrypted: someone in between has inserted it.
  if (answer.length > 1) throw driverError("TLS_REFUSED", "The server sent something else before it began with TLS");
  // The host is what the certificate is checked for; an IP address must not be sent as the server name (RFC 6066).
  const name = { host: place.host, servername: isIP(place.host) === 0 ? place.host : undefined };
  const options = typeof tls === "string" ? { rejectUnauthorized: false } : tls;
  const secure = connectTls({ socket, ...name, ...options });
  await untilEvent(secure, "secureConnect", place);
  return secure;
}

/** @throws the error of the socket, if it fails first; if it is just closed, an Error with the code CONNECTION_CLOSED */
function untilEvent(socket: Socket, event: "connect" | "data" | "secureConnect", place: Place): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      socket.off(event, onEvent).off("error", onError).off("close", onClose);
      act();
    };
    const onEvent = (value: unknown) => settle(() => resolve(value));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(closedError(place)));
    socket.on(event, onEvent).on("error", onError).on("close", onClose);
  });
}

export function closedError(place: Place): Error {
  return driverError("CONNECTION_CLOSED", `The connection to the database at ${describePlace(place)} was closed`, describeForNode(place));
}

export function describePlace(place: Place): string {
  return "path" in place ? place.path : `${place.host}:${place.port}`;
}

function describeForNode(place: Place): object {
  return "path" in place ? { address: place.path } : { address: place.host, port: place.port };
}
