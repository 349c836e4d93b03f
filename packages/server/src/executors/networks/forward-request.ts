import { type IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Destination } from "./egress-connect.ts";

/** Headers of one connection, not of the message, which are not passed on (RFC 9110, 7.6.1), and those for the proxy itself. */
const hopHeaders = new Set([
  ...["connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "trailer"],
  ...["proxy-authorization", "proxy-authenticate", "host"],
  // It tells a step that the proxy refused; no server may send it in the proxy's name.
  "x-millrace-egress",
]);

type Connect = (target: Destination) => Promise<Socket>;

/**
 * Responds to a request for an absolute `http://` URL with the response of that server, over a separate connection.
 * @throws what `connect` throws, Error with the code BAD_REQUEST, and if the connection breaks
 */
export async function forwardRequest(request: IncomingMessage, response: ServerResponse, connect: Connect): Promise<void> {
  const url = readAddress(request.url ?? "");
  const port = url.port === "" ? 80 : Number(url.port);
  const socket = await connect({ host: url.hostname.replace(/^\[|\]$/g, ""), port });
  try {
    response.once("close", () => socket.destroy());
    const answer = await send(request, url, socket);
    answerWith(response, answer);
    await pipeline(answer, response);
  } finally {
    socket.destroy();
  }
}

/**
 * A server may send things that can't be written again: the parser of responses accepts more than the writer. The reason phrase has no
 * meaning (RFC 9110, 15.1), so ours is used.
 * @throws Error with the code EPROTO, with nothing written yet
 */
function answerWith(response: ServerResponse, answer: IncomingMessage): void {
  try {
    const { statusCode = 0 } = answer;
    if (statusCode < 200) throw new RangeError(`the status ${statusCode} is not valid for a response`);
    response.writeHead(statusCode, endToEnd(answer));
  } catch (cause) {
    throw Object.assign(new Error("the response can't be forwarded", { cause }), { code: "EPROTO" });
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
    // A request that ends without a response and without an error is a protocol upgrade, which was not requested.
    upstream
      .on("response", done)
      .on("error", fail)
      .on("close", () => fail(new Error("the connection was closed")));
    request.on("error", fail).on("close", () => {
      if (!request.complete) upstream.destroy(new Error("the request was not sent completely"));
    });
    request.pipe(upstream);
  });
}

/**
 * The original headers, in their order and spelling, without those that belong to one connection, including the ones that Connection names.
 */
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
