import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../base/error/app-error.ts";
import type { RateLimits } from "../admit/rate-limits.ts";
import { errorBody, errorHeaders, statusText } from "../answer/error-response.ts";
import { countWithoutRoute } from "../answer/record-request.ts";

/** Limits requests that reach no route, once the application is complete. */
export interface RequestCounters {
  limits: RateLimits | undefined;
}

/**
 * Requests that reach no route, because Node could not parse them, or because they ask for a tunnel. They have no reply object, so the
 * response is written to the socket directly, and the connection is closed. They count against their address like all others, and appear in
 * the metrics.
 */
export function createBrokenRequests(counters: RequestCounters) {
  const refuse = (socket: Duplex, address: string | undefined, refusal: AppError, headers: Record<string, string> = {}) => {
    const error = takeAddress(counters, address) ?? refusal;
    countWithoutRoute("", error.status);
    socket.end(written(error, { ...errorHeaders(error), ...headers }));
  };
  return {
    /** Fastify's `clientErrorHandler`. */
    answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
      if (error.code === "ECONNRESET" || !socket.writable) {
        socket.destroy();
        return;
      }
      refuse(socket, socket.remoteAddress, toRefusal(error.code));
    },
    /** Without a listener, Node closes the connection without a response. */
    refuseTunnels(app: FastifyInstance): void {
      app.server.on("connect", (request: IncomingMessage, socket: Duplex) => {
        socket.on("error", () => socket.destroy());
        const allow = "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS";
        refuse(socket, request.socket.remoteAddress, new AppError("METHOD_NOT_ALLOWED", ["CONNECT", allow]), { allow });
      });
    },
  };
}

/** The refusal for an address that has sent too many requests. */
function takeAddress({ limits }: RequestCounters, address: string | undefined): AppError | undefined {
  try {
    if (address !== undefined) limits?.takeAddress(address);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function toRefusal(code: string | undefined): AppError {
  if (code === "HPE_HEADER_OVERFLOW") return new AppError("HEADERS_TOO_LARGE");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new AppError("REQUEST_TIMEOUT");
  return new AppError("BAD_REQUEST", ["it is not a valid HTTP request"]);
}

function written(error: AppError, extra: Record<string, string>): string {
  const body = JSON.stringify(errorBody(error, randomUUID()));
  const headers = {
    ...extra,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${statusText(error.status).replace("_", " ")}\r\n${lines.join("")}\r\n${body}`;
}
