import { request } from "node:http";
import { connect as connectTls } from "node:tls";

/**
 * Connections for a step whose way out is the service's proxy (the variable MILLRACE_EGRESS: a socket file, or http://HOST:PORT). What the
 * proxy refuses is an error with its words; what it could not reach has the code of the system, as a connection of our own would have.
 */

/** @typedef {{ url: URL, signal: AbortSignal, rejectUnauthorized: boolean }} Target */
/** @typedef {(error: Error | null, socket?: import("node:stream").Duplex) => void} TakeSocket */

/** Undefined: there is no proxy, connections are made directly. */
export const egress = process.env.MILLRACE_EGRESS || undefined;

/** @param {Target} target @param {TakeSocket} take gets a socket that is ready to be written to */
export function connectThrough({ url, signal, rejectUnauthorized }, take) {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const path = `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`;
  const asked = request({ ...proxyPlace(), method: "CONNECT", path, headers: { host: path }, signal });
  asked.on("error", take);
  asked.on("connect", (answer, socket, head) => {
    if (answer.statusCode !== 200) return readRefusal(answer, socket, head, take);
    if (!isSecure) return take(null, socket);
    const secure = connectTls({ socket, servername: /^[\d.]+$|:/.test(host) ? undefined : host, host, rejectUnauthorized });
    secure.once("error", take);
    secure.once("secureConnect", () => {
      secure.off("error", take);
      take(null, secure);
    });
  });
  asked.end();
}

function proxyPlace() {
  if (!egress?.startsWith("http://")) return { socketPath: egress };
  const { hostname, port } = new URL(egress);
  return { host: hostname, port };
}

/**
 * @param {import("node:http").IncomingMessage} answer
 * @param {import("node:stream").Duplex} socket
 * @param {Buffer} head
 * @param {TakeSocket} take
 */
function readRefusal(answer, socket, head, take) {
  let text = head.toString("utf8");
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    const code = String(answer.headers["x-millrace-egress"] ?? "EPROXY");
    take(Object.assign(new Error(text.trim() || `the proxy answered ${answer.statusCode}`), { code }));
  });
}
