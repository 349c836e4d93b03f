import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminToken } from "../../../test/kit/app.ts";
import { followStream } from "../../../test/kit/follow-stream.ts";
import { logKit } from "../../../test/kit/history/log-kit.ts";

/** Long enough for a busy machine to read what has arrived, short enough for a test. */
const readerIdleMs = 2_000;
const { app, write, claimed } = await logKit({ config: { readerIdleMs } });
let port = 0;
let path = "";
const sockets: Socket[] = [];

beforeAll(async () => {
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.server.address() as AddressInfo).port;
  const { claim, path: log } = await claimed();
  path = log;
  // More than the buffers of a connection hold.
  const lines = Array.from({ length: 100 }, () => "y".repeat(10_000));
  for (let seq = 0; seq < 30; seq++) await write(claim, seq, lines);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** The server's side of the connection: a client that doesn't read can't see the end. */
function serverSide(socket: Socket): Promise<Socket> {
  const { localPort } = socket;
  return new Promise((resolve) => {
    app.server.server.on("request", ({ socket: one }) => one.remotePort === localPort && resolve(one));
  });
}

describe("a connection", () => {
  test("that reads nothing of a log is closed, and a slow one is not", async () => {
    const slow = await followStream(port, path, adminToken);
    const stopped = connect(port, "127.0.0.1").on("error", () => undefined);
    sockets.push(stopped);
    await once(stopped, "connect");
    const side = serverSide(stopped);
    stopped.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${adminToken}\r\n\r\n`);
    // Reads a part now and then, for longer than a connection may be idle.
    let parts = 0;
    slow.response.on("data", () => {
      slow.response.pause();
      parts += 1;
      setTimeout(() => slow.response.resume(), 100);
    });
    const server = await side;
    if (!server.destroyed) await once(server, "close");
    expect(slow.response.destroyed).toBe(false);
    expect(parts).toBeGreaterThan(0);
    slow.request.destroy();
  });

  test("without pending data stays open", async () => {
    const { path: quiet, claim } = await claimed();
    const follower = await followStream(port, quiet, adminToken);
    const timeouts = new Promise<void>((resolve) => {
      const side = follower.request.socket!.localPort;
      app.server.server.on("timeout", (socket: Socket) => socket.remotePort === side && resolve());
    });
    await timeouts;
    await write(claim, 0, ["after a long silence"]);
    await follower.until("after a long silence");
    follower.request.destroy();
  });

  test("that sent no request for so long is closed", async () => {
    const silent = connect(port, "127.0.0.1").on("error", () => undefined);
    sockets.push(silent);
    silent.resume();
    await once(silent, "close");
  });
});
