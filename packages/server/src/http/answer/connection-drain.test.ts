import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/kit/until.ts";
import { ConnectionDrain } from "./connection-drain.ts";

interface Client {
  socket: Socket;
  received(): string;
  closed: Promise<unknown>;
}

async function startServer() {
  const open: ServerResponse[] = [];
  const server = createServer((_request, response) => void open.push(response));
  const drain = new ConnectionDrain(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const dial = async (text: string): Promise<Client> => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    if (text !== "") socket.write(text);
    return { socket, received: () => received, closed: once(socket, "close") };
  };
  /** Stops like the service does. */
  const stop = (boundMs: number) => {
    drain.begin(boundMs);
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { server, open, dial, stop };
}

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const never = 600_000;

test("an answer that has not begun says that the connection closes, and closes it", async () => {
  const { open, dial, stop } = await startServer();
  const client = await dial(get);
  await until(() => open.length === 1, "the request is under way");
  const stopped = stop(never);
  open[0]?.end("late");
  await Promise.all([client.closed, stopped]);
  expect(client.received()).toMatch(/Connection: close\r\n[\s\S]*late/);
});

test("a started response is completed, and its connection closes afterwards", async () => {
  const { open, dial, stop } = await startServer();
  const client = await dial(get);
  await until(() => open.length === 1, "the request is under way");
  open[0]?.write("first, ");
  await until(() => client.received().includes("first"), "it has begun");
  const stopped = stop(never);
  open[0]?.end("last");
  await Promise.all([client.closed, stopped]);
  expect(client.received()).toMatch(/first, [\s\S]*last/);
});

test("connections without a request end at once, whether they had one or never sent a whole one", async () => {
  const { open, dial, stop } = await startServer();
  const [idle, silent, halfHead] = await Promise.all([dial(get), dial(""), dial("GET / HTTP/1.1\r\nHo")]);
  await until(() => open.length === 1, "the request is under way");
  open[0]?.end("done");
  await until(() => idle.received().includes("done"), "it is answered");
  await Promise.all([stop(never), idle.closed, silent.closed, halfHead.closed]);
});

test("at the timeout incomplete requests and open responses are closed", async () => {
  const { open, dial, stop } = await startServer();
  const clients = [await dial(`${get.replace("GET", "POST").trimEnd()}\r\nContent-Length: 100\r\n\r\nhalf`), await dial(get)];
  await until(() => open.length === 2, "both are under way");
  await stop(1);
  await Promise.all(clients.map(({ closed }) => closed));
});
