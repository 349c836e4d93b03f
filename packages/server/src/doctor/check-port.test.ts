import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { checkPort } from "./check-port.ts";

const setting = "MILLRACE_PORT";

async function listenWith(body: string) {
  const server = createServer((_, response) => void response.end(body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, end: () => server.close() };
}

test("a port of another program is a problem with a remedy, one of a running Millrace a warning, and a free one neither", async () => {
  const other = await listenWith("hello");
  const taken = await checkPort({ host: "127.0.0.1", port: other.port, setting });
  expect(taken).toMatchObject({ status: "problem", message: expect.stringContaining(`127.0.0.1:${other.port} (EADDRINUSE)`) });
  expect(taken.remedy).toMatch(/^Another program uses this port; .* MILLRACE_PORT/);
  other.end();
  const service = await listenWith('{"status":"up","database":"up"}');
  expect(await checkPort({ host: "127.0.0.1", port: service.port, setting })).toMatchObject({ status: "warning" });
  service.end();
  expect(await checkPort({ host: "127.0.0.1", port: 0, setting })).toMatchObject({ status: "ok" });
});

test("an address that this machine does not have is a problem", async () => {
  const check = await checkPort({ host: "192.0.2.1", port: 8080, setting });
  expect(check).toMatchObject({ status: "problem", remedy: "Set MILLRACE_HOST to an address of this machine" });
});
