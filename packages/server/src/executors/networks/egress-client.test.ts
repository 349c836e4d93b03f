import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createPlainServer, type Server as PlainServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createEgressProxy } from "./egress-proxy.ts";
import { createOutboundPolicy, defaultOutbound, type OutboundPolicySettings } from "./outbound-policy.ts";

/**
 * What one connection of a step can make the proxy do: no more than one thing at a time, and nothing for a client that has disconnected.
 */
async function openProxy(settings: Partial<OutboundPolicySettings>): Promise<Socket> {
  const listener = await createEgressProxy(createOutboundPolicy({ ...defaultOutbound, ...settings })).listen(
    "loopback",
    "team-1",
    () => undefined,
  );
  onTestFinished(() => listener.close());
  const client = connect(listener.port, "127.0.0.1").on("error", () => undefined);
  onTestFinished(() => void client.destroy());
  await once(client, "connect");
  return client;
}

async function listening(server: Server | PlainServer): Promise<number> {
  onTestFinished(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** A web server that counts how many connections it had at the same time. */
async function countingServer(): Promise<{ port: number; most: () => number }> {
  let [now, most] = [0, 0];
  const server = createServer((request, response) => void setImmediate(() => response.end(`answer${request.url}.`)));
  server.on("connection", (socket) => {
    most = Math.max(most, ++now);
    socket.on("close", () => now--);
  });
  return { port: await listening(server), most: () => most };
}

const ask = (port: number, path: number): string => `GET http://127.0.0.1:${port}/${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test("pipelined requests are forwarded one after the other, and answered in order", async () => {
  const { port, most } = await countingServer();
  const client = await openProxy({ allow: [`127.0.0.1:${port}`] });
  let text = "";
  client.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  client.write(
    numbers(20)
      .map((number) => ask(port, number))
      .join(""),
  );
  await expect.poll(() => text).toContain("answer/19.");
  expect([...text.matchAll(/answer\/(\d+)\./g)].map(([, number]) => Number(number))).toEqual(numbers(20));
  expect(most()).toBe(1);
});

test("a connection with too many requests at once is closed, and opens no more connections", async () => {
  let connections = 0;
  const silent = createServer(() => undefined).on("connection", () => connections++);
  const port = await listening(silent);
  const client = await openProxy({ allow: [`127.0.0.1:${port}`] });
  const closed = once(client.resume(), "close");
  client.write(
    numbers(1_000)
      .map((number) => ask(port, number))
      .join(""),
  );
  await closed;
  expect(connections).toBeLessThanOrEqual(1);
});

test("requests of a disconnected client are aborted", async () => {
  let asked: ((signal: AbortSignal | undefined) => void) | undefined;
  const wanted = new Promise<AbortSignal | undefined>((done) => (asked = done));
  const client = await openProxy({
    resolve: (_name, signal) => {
      asked?.(signal);
      return new Promise((_done, fail) => signal?.addEventListener("abort", () => fail(signal.reason), { once: true }));
    },
  });
  client.write("GET http://slow.example/ HTTP/1.1\r\nHost: x\r\n\r\n");
  const signal = await wanted;
  expect(signal?.aborted).toBe(false);
  client.destroy();
  await expect.poll(() => signal?.aborted).toBe(true);
});

/** The response of a server, sent byte by byte, and the resulting response of the proxy. */
async function answerOf(said: string): Promise<string> {
  const server = createPlainServer((socket) => void socket.on("error", () => undefined).once("data", () => socket.end(said, "latin1")));
  const port = await listening(server);
  const client = await openProxy({ allow: [`127.0.0.1:${port}`] });
  client.setEncoding("latin1").write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let text = "";
  client.on("data", (chunk: string) => {
    text += chunk;
  });
  await once(client, "close");
  return text.split("\r\n", 1)[0] ?? "";
}

// An uncaught error ends the service, and this suite with it.
test.each([
  ["words that can't be said again", "HTTP/1.1 200 O\xffK\x01\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK"],
  ["a header that can't be said again", "HTTP/1.1 200 OK\r\nX: \x01\xff\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 502 Bad Gateway"],
  ["a status that is none", "HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 502 Bad Gateway"],
  ["a switch of protocols that nobody asked for", "HTTP/1.1 101 S\r\n\r\n", "HTTP/1.1 502 Bad Gateway"],
  ["what is no answer", "NOT HTTP\r\n\r\n", "HTTP/1.1 502 Bad Gateway"],
  ["nothing", "", "HTTP/1.1 502 Bad Gateway"],
])("a server that answers %s ends its own connection and nothing else", async (_, said, line) => {
  expect(await answerOf(said)).toBe(line);
});
