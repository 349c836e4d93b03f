import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../base/process/log.ts";

/**
 * Closes the connections of a server that stops, within a bound.
 *
 * Node's own `server.close()` waits for every connection: for a silent keep-alive connection whose answer ended after the call (72 s with
 * fastify's setting), for a body of which the rest never comes (60 s and the next check), for a connection that never sent a byte, for
 * a reader that takes nothing. So each connection is known here with the requests under way on it:
 *
 *     idle --request--> busy --answered--> idle            while the server runs
 *     idle --begin--> closed;  busy --answered or bound--> closed    once it stops
 *
 * Answers that have not begun say `Connection: close`, so that the client opens its next connection elsewhere.
 */
export class ConnectionDrain {
  readonly #underWay = new Map<Socket, Set<ServerResponse>>();
  #isDraining = false;

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => this.#addConnection(socket));
    // First of all listeners: the answer may begin in the same turn.
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => this.#addRequest(request.socket, response));
  }

  /** Idle connections end now, busy ones with their last answer, and at the bound all that are left. */
  begin(boundMs: number): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const [socket, responses] of this.#underWay) {
      for (const response of responses) announceClose(response);
      if (responses.size === 0) socket.destroy();
    }
    setTimeout(() => this.#destroyAll(), boundMs).unref();
  }

  /** Of the requests under way on that connection. */
  answersOn(socket: Socket): ReadonlySet<ServerResponse> {
    return this.#underWay.get(socket) ?? new Set();
  }

  #destroyAll(): void {
    for (const socket of this.#underWay.keys()) socket.destroy();
  }

  #addConnection(socket: Socket): void {
    if (this.#isDraining) {
      socket.destroy();
      return;
    }
    this.#underWay.set(socket, new Set());
    socket.once("close", () => this.#underWay.delete(socket));
  }

  #addRequest(socket: Socket, response: ServerResponse): void {
    this.#underWay.get(socket)?.add(response);
    if (this.#isDraining) announceClose(response);
    response.once("close", () => {
      const responses = this.#underWay.get(socket);
      responses?.delete(response);
      if (this.#isDraining && responses?.size === 0) socket.destroySoon();
    });
  }
}

/** Node then writes the header, and closes the connection after the answer. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/**
 * Ends connections whose reader takes nothing of an answer for so long: without it an answer that nobody reads, of any kind, is
 * kept forever. There is no last line: it would stand behind what is not being read. The reader sees a broken connection, as when
 * the server stops.
 *
 * Time without a byte is measured by Node's own timer of the socket, which counts each part that the other side takes. A connection on
 * which nothing waits to be taken stays: a log in which nothing happens, a request that waits for the end of a run.
 */
export function endIdleReaders(server: Server, connections: ConnectionDrain, { idleMs, log }: { idleMs: number; log: Log }): void {
  server.setTimeout(idleMs, (socket: Socket) => {
    const answers = [...connections.answersOn(socket)];
    const isLeft = answers.length === 0 || answers.some((answer) => answer.writableLength > 0);
    if (!isLeft) {
      // Its time starts over; Node tells of it once only.
      socket.setTimeout(idleMs);
      return;
    }
    const { remoteAddress, writableLength } = socket;
    if (answers.length > 0)
      log.info({ remoteAddress, waitingBytes: writableLength, idleMs }, "a client did not read its response, so the connection was closed");
    socket.destroy();
  });
  // A reader that is gone without a word (a cable, a firewall that forgot the connection) is found, though nothing is sent.
  server.on("connection", (socket: Socket) => socket.setKeepAlive(true, idleMs / 2));
}
