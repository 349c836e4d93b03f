import { type IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Destination } from "./egress-connect.ts";

/** Of one connection, not of the message: not handed on (RFC 9110, 7.6.1), nor what is for the proxy alone. */
const hopHeaders = new Set([
  ...["connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "trailer"],
  ...["proxy-authorization", "proxy-authenticate", "host"],
  // By this a step is informed of a refusal; no server may say that in the place of the proxy.
  "x-millrace-egress",
]);

type Connect = (target: Destination) => Promise<Socket>;

/**
 * Answers a request for an absolute `http://` address with what that address answers, in a connection of its own.
 * @throws what `connect` throws, Error with the code BAD_REQUEST, and when the connection breaks
 */
export async function forwardRequest(request: IncomingMessage, response: ServerResponse, connect: Connect): Promise<void> {
  const url = readAddress(request.url ?? "");
  const port = url.port === "" ? 80 : Number(url.port);
  const socket = await connect({ host: url.hostname.replace(/^\[|\]$/g, ""), port });
  try {
    response.once("close", () => socket.destroy());
    const answer = await send(request, url, socket);
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer));
    await pipeline(answer, response);
  } finally {
    socket.destroy();
  }
}

function readAddress(text: string): URL {
  const url = /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "") {
    throw Object.assign(
      new Error("this is a proxy for requests: use CONNECT, or the whole address (http://host/path) without user and password"),
      {
        code: "BAD_REQUEST",
      },
    );
  }
  return url;
}

function send(request: IncomingMessage, url: URL, socket: Socket): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const length = request.headers["content-length"];
    const isChunked = length === undefined && request.headers["transfer-encoding"] !== undefined;
    const upstream = openRequest({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: ["host", url.host, ...endToEnd(request), "connection", "close", ...(isChunked ? ["transfer-encoding", "chunked"] : [])],
    });
    // What ends without a response and without an error is a switch of protocols, which was not asked for.
    upstream
      .on("response", done)
      .on("error", fail)
      .on("close", () => fail(new Error("the connection was closed")));
    request.on("error", fail).on("close", () => {
      if (!request.complete) upstream.destroy(new Error("the request was not sent whole"));
    });
    request.pipe(upstream);
  });
}

/** The headers as they came, in their order and spelling; those that Connection names are of one connection, too. */
function endToEnd(message: IncomingMessage): string[] {
  const named = String(message.headers["connection"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const left = new Set([...hopHeaders, ...named]);
  const pairs: string[] = [];
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = message.rawHeaders.slice(index, index + 2);
    if (!left.has(name.toLowerCase())) pairs.push(name, value);
  }
  return pairs;
}
