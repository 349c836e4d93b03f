import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../base/process/log.ts";
import type { ConnectionDrain } from "./connection-drain.ts";

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
