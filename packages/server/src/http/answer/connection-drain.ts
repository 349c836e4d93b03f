import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../base/process/log.ts";

/**
 * Closes the connections of a server that stops, within a time limit.
 *
 * Node's own `server.close()` waits for every connection: for a silent keep-alive connection whose response ended after the call (72 s with
 * fastify's setting), for a body whose rest never arrives (60 s and the next check), for a connection that never sent a byte, for a client
 * that reads nothing. So this class knows each connection with its open requests:
 *
 *     idle --request--> busy --answered--> idle            while the server runs
 *     idle --begin--> closed;  busy --answered or bound--> closed    once it stops
 *
 * Responses that have not begun say `Connection: close`, so that the client opens its next connection elsewhere.
 */
export class ConnectionDrain {
  readonly #inProgress = new Map<Socket, Set<ServerResponse>>();
  #isDraining = false;

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => this.#addConnection(socket));
    // Must be the first listener: the response may begin in the same turn.
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => this.#addRequest(request.socket, response));
  }

  /** Closes idle connections now, busy ones after their last response, and at the time limit all that are left. */
  begin(boundMs: number): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const [socket, responses] of this.#inProgress) {
      for (const response of responses) sendConnectionClose(response);
      if (responses.size === 0) socket.destroy();
    }
    setTimeout(() => this.#destroyAll(), boundMs).unref();
  }

  /** Of the open requests on that connection. */
  answersOn(socket: Socket): ReadonlySet<ServerResponse> {
    return this.#inProgress.get(socket) ?? new Set();
  }

  #destroyAll(): void {
    for (const socket of this.#inProgress.keys()) socket.destroy();
  }

  #addConnection(socket: Socket): void {
    if (this.#isDraining) {
      socket.destroy();
      return;
    }
    this.#inProgress.set(socket, new Set());
    socket.once("close", () => this.#inProgress.delete(socket));
  }

  #addRequest(socket: Socket, response: ServerResponse): void {
    this.#inProgress.get(socket)?.add(response);
    if (this.#isDraining) sendConnectionClose(response);
    response.once("close", () => {
      const responses = this.#inProgress.get(socket);
      responses?.delete(response);
      if (this.#isDraining && responses?.size === 0) socket.destroySoon();
    });
  }
}

/** Node then writes the header, and closes the connection after the response. */
function sendConnectionClose(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/**
 * Closes connections whose client has read nothing of a response for so long: otherwise an unread response of any kind is kept forever. No
 * final message is sent, because it would queue behind what isn't being read. The client sees a broken connection, as when the server
 * stops.
 *
 * The time without a byte is measured by Node's own timer of the socket, which restarts with each chunk that the client takes. A connection
 * with nothing to send stays open: a followed log without new lines, or a request that waits for the end of a run.
 */
export function endIdleReaders(server: Server, connections: ConnectionDrain, { idleMs, log }: { idleMs: number; log: Log }): void {
  server.setTimeout(idleMs, (socket: Socket) => {
    const answers = [...connections.answersOn(socket)];
    const isLeft = answers.length === 0 || answers.some((answer) => answer.writableLength > 0);
    if (!isLeft) {
      // Restarts the timer, because Node reports a timeout only once.
      socket.setTimeout(idleMs);
      return;
    }
    const { remoteAddress, writableLength } = socket;
    if (answers.length > 0)
      log.info({ remoteAddress, waitingBytes: writableLength, idleMs }, "a client did not read its response, so the connection was closed");
    socket.destroy();
  });
  // Finds clients that have disappeared silently (an unplugged cable, a firewall that forgot the connection), even if nothing is sent.
  server.on("connection", (socket: Socket) => socket.setKeepAlive(true, idleMs / 2));
}
